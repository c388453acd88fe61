import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, fetchApi, useReload } from '../api/api.js'
import { allItems, useList } from '../api/lists.js'
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

/** How often a list is reloaded with live conversations, and without. */
const liveMs = 3_000
const idleMs = 15_000
/** How often the progress of the live conversation on the page is reloaded. */
const progressMs = 1_000

const list = '/dashboard/api/agent-sessions'

/** Newest first. */
export const useConversations = (filter: ConversationFilter) =>
  useList(list, { query: queryOf(filter) }, ({ sessions }) => sessions, {
    // A search reads transcripts, so it runs only on request.
    refreshMs: (sessions) =>
      filter.said === undefined && (sessions.some(({ status }) => isLive(status)) ? liveMs : idleMs),
  })

const readConversation = async (sessionId: string): Promise<Conversation> => {
  const path = { sessionId }
  const [{ data: record }, transcript, turns, tool_calls, { data: judged }] = await Promise.all([
    fetchApi.GET('/dashboard/api/v1/agent-sessions/{sessionId}', { params: { path } }),
    allItems(
      (query) => fetchApi.GET('/dashboard/api/v1/agent-sessions/{sessionId}/messages', { params: { path, query } }),
      (page) => page.messages,
    ),
    allItems(
      (query) => fetchApi.GET('/dashboard/api/agent-sessions/{sessionId}/turns', { params: { path, query } }),
      (page) => page.turns,
    ),
    allItems(
      (query) => fetchApi.GET('/dashboard/api/agent-sessions/{sessionId}/tool-calls', { params: { path, query } }),
      (page) => page.tool_calls,
    ),
    fetchApi.GET('/dashboard/api/agent-sessions/{sessionId}/analysis', { params: { path } }),
  ])
  return { ...record!, transcript, turns, tool_calls, analysis: judged!.analysis }
}

const keyOf = (sessionId: string) => ['conversation', sessionId] as const

const progressPath = '/dashboard/api/agent-sessions/{sessionId}/progress'

/** How far a live conversation has come, read again every second while the page is seen. */
const useProgress = (sessionId: string, enabled: boolean) =>
  api.useQuery('get', progressPath, { params: { path: { sessionId } } }, { enabled, refetchInterval: progressMs })

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
  const reload = useReload(list, progressPath)
  return api.useMutation('post', '/dashboard/api/agent-sessions/{sessionId}/end', {
    onSettled: () => Promise.all([client.invalidateQueries({ queryKey: keyOf(sessionId) }), reload()]),
  })
}

/** Deletes the record. A live conversation is ended first. */
export const useDeleteConversation = () =>
  api.useMutation('delete', '/dashboard/api/v1/agent-sessions/{sessionId}', { onSuccess: useReload(list) })
