import { type InfiniteData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { allPages, inPages, itemsPerPage, whileOnFirstPage } from '../api/all-pages.js'
import { api, fetchApi } from '../api/api.js'
import type { components, paths } from '../api/schema.js'
import { type ConversationFilter, queryOf } from './conversation-filter.js'
import { isLive } from './conversation-words.js'

export type ConversationSummary = components['schemas']['SessionSummary']
export type Message = components['schemas']['SessionMessage']
export type Turn = components['schemas']['Turn']

type Progress = components['schemas']['SessionProgress']
export type ToolCall = components['schemas']['ToolCall']

type AnalysisAnswer =
  paths['/dashboard/api/agent-sessions/{sessionId}/analysis']['get']['responses']['200']['content']['application/json']
export type Analysis = NonNullable<AnalysisAnswer['analysis']>

/**
 * A conversation with its whole transcript, the measurements of its turns, the calls of its tools and what was judged of
 * it. The n-th turn answers the n-th message of the user.
 */
export type Conversation = components['schemas']['Session'] & {
  readonly turns: readonly Turn[]
  readonly tool_calls: readonly ToolCall[]
  readonly analysis: Analysis | null
}

interface ConversationPage {
  readonly sessions: ConversationSummary[]
  readonly next_cursor: string | null
}

/** How often a list is reloaded with live conversations, and without. */
const liveMs = 3_000
const idleMs = 15_000
/** How often the progress of the live conversation on the page is reloaded. */
const progressMs = 1_000

const hasLive = (data: InfiniteData<ConversationPage> | undefined): boolean =>
  data?.pages.some(({ sessions }) => sessions.some(({ status }) => isLive(status))) ?? false

const list = '/dashboard/api/agent-sessions'

/** Newest first. */
export const useConversations = (filter: ConversationFilter) =>
  api.useInfiniteQuery(
    'get',
    list,
    { params: { query: { ...queryOf(filter), limit: itemsPerPage } } },
    {
      ...inPages,
      // A search reads transcripts, so it runs only on request.
      refetchInterval: whileOnFirstPage<InfiniteData<ConversationPage>>(
        (data) => filter.said === undefined && (hasLive(data) ? liveMs : idleMs),
      ),
    },
  )

const readConversation = async (sessionId: string): Promise<Conversation> => {
  const path = { sessionId }
  const [{ data: record }, messages, turns, toolCalls, { data: judged }] = await Promise.all([
    fetchApi.GET('/dashboard/api/v1/agent-sessions/{sessionId}', { params: { path } }),
    allPages((query) =>
      fetchApi.GET('/dashboard/api/v1/agent-sessions/{sessionId}/messages', { params: { path, query } }),
    ),
    allPages((query) => fetchApi.GET('/dashboard/api/agent-sessions/{sessionId}/turns', { params: { path, query } })),
    allPages((query) =>
      fetchApi.GET('/dashboard/api/agent-sessions/{sessionId}/tool-calls', { params: { path, query } }),
    ),
    fetchApi.GET('/dashboard/api/agent-sessions/{sessionId}/analysis', { params: { path } }),
  ])
  return {
    ...record!,
    transcript: messages.flatMap((page) => page.messages),
    turns: turns.flatMap((page) => page.turns),
    tool_calls: toolCalls.flatMap((page) => page.tool_calls),
    analysis: judged!.analysis,
  }
}

const keyOf = (sessionId: string) => ['conversation', sessionId] as const

/** How far a live conversation has come, read again every second while the page is seen. */
const useProgress = (sessionId: string, enabled: boolean) =>
  useQuery({
    queryKey: [...keyOf(sessionId), 'progress'],
    queryFn: async () => {
      const path = { sessionId }
      const { data } = await fetchApi.GET('/dashboard/api/agent-sessions/{sessionId}/progress', { params: { path } })
      return data!
    },
    enabled,
    refetchInterval: progressMs,
  })

/** The record with its latest state, and with what the Agent speaks now as the last message. */
const withProgress = (record: Conversation, progress: Progress | undefined): Conversation => {
  if (progress === undefined) return record
  const { session, in_progress: spoken } = progress
  const isNew = spoken !== null && record.transcript.every(({ id }) => id !== spoken.id)
  // Until it is final, its text is kept as that of an interrupted message, in case the server stops.
  const transcript = isNew ? [...record.transcript, { ...spoken, interrupted: false }] : record.transcript
  return { ...record, ...session, transcript }
}

/**
 * A conversation. While it lives, its state and what the Agent speaks follow each second, and the rest is read again when a
 * message has become final.
 */
export const useConversation = (sessionId: string) => {
  const {
    data: record,
    error,
    isPending,
    refetch,
  } = useQuery({
    queryKey: keyOf(sessionId),
    queryFn: () => readConversation(sessionId),
    refetchInterval: ({ state }) => state.data?.analysis?.status === 'pending' && liveMs,
  })
  const isFollowed = record !== undefined && isLive(record.status)
  const following = useProgress(sessionId, isFollowed)
  const { data: progress, dataUpdatedAt } = following
  const followError = isFollowed ? following.error : null
  const latest = isFollowed ? progress : undefined
  const isBehind =
    isFollowed &&
    latest !== undefined &&
    (latest.final_messages !== record.transcript.length || latest.session.status !== record.status)
  useEffect(() => {
    if (isBehind) void refetch({ cancelRefetch: false })
  }, [isBehind, dataUpdatedAt, refetch])
  return {
    data: record && withProgress(record, latest),
    error: error ?? followError,
    isPending,
    /** Whether the state of a live conversation is known to be current. */
    isCurrent: followError === null,
    refetch: () => Promise.all([refetch(), ...(isFollowed ? [following.refetch()] : [])]),
  }
}

/** Ends a live conversation. Its record stays. */
export const useEndConversation = (sessionId: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      fetchApi.POST('/dashboard/api/agent-sessions/{sessionId}/end', { params: { path: { sessionId } } }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keyOf(sessionId) }),
        client.invalidateQueries({ queryKey: ['get', list] }),
      ]),
  })
}

/** Deletes the record. A live conversation is ended first. */
export const useDeleteConversation = (sessionId: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      fetchApi.DELETE('/dashboard/api/v1/agent-sessions/{sessionId}', { params: { path: { sessionId } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['get', list] }),
  })
}
