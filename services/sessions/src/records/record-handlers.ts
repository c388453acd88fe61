import { randomUUID } from 'node:crypto'
import { type Client, type Handlers, missingReplyOf } from '@parlance/bus'
import {
  type AuditEvent,
  type IceServer,
  type liveSessionsContract,
  ServiceError,
  type sessionsContract,
} from '@parlance/contracts'
import type { AnalysisRepository } from '../analysis/analysis-repository.js'
import { iceServerTtlSeconds } from '../media/webrtc/ice-servers.js'
import type { TryTool } from '../tools/try-tool.js'
import type { SessionRepository } from './session-repository.js'
import type { TranscriptRepository } from './transcript-repository.js'

export interface RecordHandlersOptions {
  readonly sessions: Pick<
    SessionRepository,
    'find' | 'list' | 'overview' | 'findLiveInstance' | 'giveFeedback' | 'remove'
  >
  readonly transcripts: TranscriptRepository
  readonly analyses: Pick<AnalysisRepository, 'find' | 'findEvaluation' | 'putEvaluation'>
  readonly judge: Handlers<typeof sessionsContract>['judge']
  readonly tryTool: TryTool
  readonly live: Pick<Client<typeof liveSessionsContract>, 'endSession'>
  /** Adds an event to the audit log of a workspace. */
  audit(workspaceId: string, event: AuditEvent): Promise<void>
  iceServersFor(name: string): IceServer[]
  /** A record was removed, and its recording is now due for deletion. */
  onRemoved(): void
}

/** More messages than fit into a reply: the size of a reply limits how much of a transcript a record shows. */
const maxShown = 10_000

const sessionNotFound = 'There is no such session.'
const sessionEnded = 'This session has ended.'

/** The conversation has ended already, or its instance has stopped. */
const hasEnded = (error: unknown): boolean =>
  missingReplyOf(error) !== undefined ||
  (error instanceof ServiceError && (error.code === 'session_ended' || error.code === 'session_not_found'))

export const createRecordHandlers = (options: RecordHandlersOptions): Handlers<typeof sessionsContract> => {
  const { sessions, transcripts, analyses, judge, tryTool, live, audit, iceServersFor, onRemoved } = options

  /** The instance on which a conversation is live; null when it has ended. */
  const instanceOf = async (
    workspaceId: string,
    sessionId: string,
    fail: (code: 'session_not_found', detail: string) => never,
  ): Promise<string | null> => {
    const found = await sessions.findLiveInstance(workspaceId, sessionId)
    return found === undefined ? fail('session_not_found', sessionNotFound) : found.instanceId
  }

  return {
    async getSession({ workspace_id, session_id }, { fail }) {
      const summary = await sessions.find(workspace_id, session_id)
      if (summary === undefined) return fail('session_not_found', sessionNotFound)
      const { items } = await transcripts.listMessages(workspace_id, session_id, { limit: maxShown, order: 'asc' })
      return { ...summary, transcript: items }
    },

    async listSessions({ workspace_id, limit, cursor, order, ...filter }) {
      const { items, nextCursor } = await sessions.list(workspace_id, filter, { limit, cursor, order })
      return { sessions: items, next_cursor: nextCursor }
    },

    getOverview: ({ workspace_id, from }) => sessions.overview(workspace_id, from),

    async listMessages({ workspace_id, session_id, ...page }, { fail }) {
      await instanceOf(workspace_id, session_id, fail)
      const { items, nextCursor } = await transcripts.listMessages(workspace_id, session_id, page)
      return { messages: items, next_cursor: nextCursor }
    },

    async listTurns({ workspace_id, session_id, ...page }, { fail }) {
      await instanceOf(workspace_id, session_id, fail)
      const { items, nextCursor } = await transcripts.listTurns(workspace_id, session_id, page)
      return { turns: items, next_cursor: nextCursor }
    },

    async listToolCalls({ workspace_id, session_id, ...page }, { fail }) {
      await instanceOf(workspace_id, session_id, fail)
      const { items, nextCursor } = await transcripts.listToolCalls(workspace_id, session_id, page)
      return { tool_calls: items, next_cursor: nextCursor }
    },

    async getAnalysis({ workspace_id, session_id }, { fail }) {
      await instanceOf(workspace_id, session_id, fail)
      return { analysis: await analyses.find(workspace_id, session_id) }
    },

    getEvaluation: ({ workspace_id, agent_id }) => analyses.findEvaluation(workspace_id, agent_id),

    async putEvaluation({ workspace_id, agent_id, evaluation }) {
      await analyses.putEvaluation(workspace_id, agent_id, evaluation)
      return evaluation
    },

    judge,

    async deleteSession({ workspace_id, session_id, actor }, { fail, context }) {
      const instance = await instanceOf(workspace_id, session_id, fail)
      if (instance !== null) {
        const request = { workspace_id, session_id, reason: 'api_ended' as const }
        await live.endSession(request, { context, instance }).catch((error: unknown) => {
          if (!hasEnded(error)) throw error
        })
      }
      await sessions.remove(workspace_id, session_id, actor)
      onRemoved()
      return {}
    },

    async getProgress({ workspace_id, session_id }, { fail }) {
      const { finalMessages, inProgress } = await transcripts.progress(workspace_id, session_id)
      const session = await sessions.find(workspace_id, session_id)
      if (session === undefined) return fail('session_not_found', sessionNotFound)
      return { session, final_messages: finalMessages, in_progress: inProgress }
    },

    async endSession({ workspace_id, session_id, actor }, { fail, context }) {
      const session = await sessions.find(workspace_id, session_id)
      if (session === undefined) return fail('session_not_found', sessionNotFound)
      const instance = await instanceOf(workspace_id, session_id, fail)
      if (instance === null) return fail('session_ended', sessionEnded)
      // If this process stops between the two, an entry without an end is better than an end without an entry.
      await audit(workspace_id, {
        action: 'conversation.ended',
        actor,
        details: { session_id, agent_id: session.agent_id },
      })
      const request = { workspace_id, session_id, reason: 'api_ended' as const }
      await live.endSession(request, { context, instance }).catch((error: unknown) => {
        if (hasEnded(error)) fail('session_ended', sessionEnded)
        throw error
      })
      return {}
    },

    async giveFeedback({ workspace_id, session_id, score, comment = null }, { fail }) {
      const feedback = await sessions.giveFeedback(workspace_id, session_id, score, comment)
      return feedback ?? fail('session_not_found', sessionNotFound)
    },

    async findInstance({ workspace_id, session_id }, { fail }) {
      const instance = await instanceOf(workspace_id, session_id, fail)
      return instance === null ? fail('session_ended', sessionEnded) : { instance_id: instance }
    },

    tryTool: ({ workspace_id, agent_id, person_id, time_zone, ...call }, { context, signal }) =>
      tryTool({
        ...{ workspaceId: workspace_id, agentId: agent_id, personId: person_id, timeZone: time_zone, signal },
        ...call,
        requestId: context.requestId,
      }),

    getIceServers: () => ({ ice_servers: iceServersFor(randomUUID()), ttl_seconds: iceServerTtlSeconds }),
  }
}
