import { type InfiniteData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { allPages } from '../api/all-pages.js'
import { fetchApi } from '../api/api.js'
import type { components } from '../api/schema.js'
import { type ConversationFilter, queryOf } from './conversation-filter.js'
import { isLive } from './conversation-words.js'

export type ConversationSummary = components['schemas']['SessionSummary']
export type Message = components['schemas']['SessionMessage']
export type Turn = components['schemas']['Turn']

/** A conversation with its whole transcript and the measurements of its turns. The n-th turn answers the n-th message of the user. */
export type Conversation = components['schemas']['Session'] & { readonly turns: readonly Turn[] }

interface ConversationPage {
  readonly sessions: ConversationSummary[]
  readonly next_cursor: string | null
}

/** Live conversations are read again so often. */
const liveMs = 3_000

const hasLive = (data: InfiniteData<ConversationPage> | undefined): boolean =>
  data?.pages.some(({ sessions }) => sessions.some(({ status }) => isLive(status))) ?? false

/** Newest first, 50 at a time. */
export const useConversations = (filter: ConversationFilter) =>
  useInfiniteQuery({
    queryKey: ['conversations', filter],
    queryFn: async ({ pageParam }) => {
      const query = { ...queryOf(filter), limit: 50, ...(pageParam !== null && { cursor: pageParam }) }
      const { data } = await fetchApi.GET('/dashboard/api/v1/agent-sessions', { params: { query } })
      return data!
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: ({ state }) => hasLive(state.data) && liveMs,
  })

const readConversation = async (sessionId: string): Promise<Conversation> => {
  const path = { sessionId }
  const [{ data: record }, messages, turns] = await Promise.all([
    fetchApi.GET('/dashboard/api/v1/agent-sessions/{sessionId}', { params: { path } }),
    allPages((query) =>
      fetchApi.GET('/dashboard/api/v1/agent-sessions/{sessionId}/messages', { params: { path, query } }),
    ),
    allPages((query) => fetchApi.GET('/dashboard/api/agent-sessions/{sessionId}/turns', { params: { path, query } })),
  ])
  return {
    ...record!,
    transcript: messages.flatMap((page) => page.messages),
    turns: turns.flatMap((page) => page.turns),
  }
}

export const useConversation = (sessionId: string) =>
  useQuery({
    queryKey: ['conversation', sessionId],
    queryFn: () => readConversation(sessionId),
    refetchInterval: ({ state }) => state.data !== undefined && isLive(state.data.status) && liveMs,
  })

/** Deletes the record. A live conversation is ended first. */
export const useDeleteConversation = (sessionId: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      fetchApi.DELETE('/dashboard/api/v1/agent-sessions/{sessionId}', { params: { path: { sessionId } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['conversations'] }),
  })
}
