import { randomUUID } from 'node:crypto'
import type { Client, Handlers } from '@parlance/bus'
import { missingReplyOf } from '@parlance/bus'
import {
  type AuditEvent,
  type IceServer,
  type liveSessionsContract,
  ServiceError,
  type sessionsContract,
} from '@parlance/contracts'
import type { AnalysisRepository } from '../analysis/analysis-repository.js'
import type { EvaluationRepository } from '../analysis/evaluation-repository.js'
import { iceServerTtlSeconds } from '../media/webrtc/ice-servers.js'
import type { TryTool } from '../tools/try-tool.js'
import type { MessageRepository } from './message-repository.js'
import type { SessionRepository } from './session-repository.js'
import type { ToolCallRepository } from './tool-call-repository.js'
import type { TurnRepository } from './turn-repository.js'

export interface RecordHandlersOptions {
  sessions: Pick<SessionRepository, 'find' | 'list' | 'findHolder' | 'remove'>
  messages: MessageRepository
  turns: TurnRepository
  toolCalls: ToolCallRepository
  analyses: Pick<AnalysisRepository, 'find'>
  evaluations: EvaluationRepository
  tryTool: TryTool
  live: Pick<Client<typeof liveSessionsContract>, 'endSession'>
  /** Adds an act to the audit log of a workspace. */
  audit(workspaceId: string, event: AuditEvent): Promise<void>
  iceServersFor(name: string): IceServer[]
  /** A record was removed, and what belongs to it elsewhere is to be. */
  onRemoved(): void
}

const sessionNotFound = 'There is no such session.'
const sessionEnded = 'This session has ended.'

/** More messages than fit into an answer, whose size decides how much of a transcript a record shows. */
const maxShown = 10_000

/** The conversation has ended already, or its instance has stopped. */
const hasEnded = (error: unknown): boolean =>
  missingReplyOf(error) !== undefined ||
  (error instanceof ServiceError && (error.code === 'session_ended' || error.code === 'session_not_found'))

export const createRecordHandlers = (options: RecordHandlersOptions): Handlers<typeof sessionsContract> => {
  const { sessions, messages, turns, toolCalls, analyses, evaluations, tryTool, live, audit, iceServersFor } = options

  return {
    async getSession({ workspace_id, session_id }, { fail }) {
      const summary = await sessions.find(workspace_id, session_id)
      if (summary === undefined) return fail('session_not_found', sessionNotFound)
      const { items } = await messages.list(workspace_id, session_id, { limit: maxShown, order: 'asc' })
      return { ...summary, transcript: items }
    },

    async listSessions({ workspace_id, limit, cursor, order, ...filter }) {
      const { items, nextCursor } = await sessions.list(workspace_id, filter, { limit, cursor, order })
      return { sessions: items, next_cursor: nextCursor }
    },

    async listMessages({ workspace_id, session_id, ...page }, { fail }) {
      const holder = await sessions.findHolder(workspace_id, session_id)
      if (holder === undefined) return fail('session_not_found', sessionNotFound)
      const { items, nextCursor } = await messages.list(workspace_id, session_id, page)
      return { messages: items, next_cursor: nextCursor }
    },

    async listTurns({ workspace_id, session_id, ...page }, { fail }) {
      const holder = await sessions.findHolder(workspace_id, session_id)
      if (holder === undefined) return fail('session_not_found', sessionNotFound)
      const { items, nextCursor } = await turns.list(workspace_id, session_id, page)
      return { turns: items, next_cursor: nextCursor }
    },

    async listToolCalls({ workspace_id, session_id, ...page }, { fail }) {
      const holder = await sessions.findHolder(workspace_id, session_id)
      if (holder === undefined) return fail('session_not_found', sessionNotFound)
      const { items, nextCursor } = await toolCalls.list(workspace_id, session_id, page)
      return { tool_calls: items, next_cursor: nextCursor }
    },

    async getAnalysis({ workspace_id, session_id }, { fail }) {
      const holder = await sessions.findHolder(workspace_id, session_id)
      if (holder === undefined) return fail('session_not_found', sessionNotFound)
      return { analysis: await analyses.find(workspace_id, session_id) }
    },

    getEvaluation: ({ workspace_id, agent_id }) => evaluations.find(workspace_id, agent_id),

    async putEvaluation({ workspace_id, agent_id, evaluation }) {
      await evaluations.put(workspace_id, agent_id, evaluation)
      return evaluation
    },

    tryTool: ({ workspace_id, agent_id, person_id, time_zone, ...call }, { context, signal }) =>
      tryTool({
        ...{ workspaceId: workspace_id, agentId: agent_id, personId: person_id, timeZone: time_zone, signal },
        ...call,
        requestId: context.requestId,
      }),

    async deleteSession({ workspace_id, session_id, actor }, { fail, context }) {
      const holder = await sessions.findHolder(workspace_id, session_id)
      if (holder === undefined) return fail('session_not_found', sessionNotFound)
      if (holder.instanceId !== null) {
        const request = { workspace_id, session_id, reason: 'api_ended' as const }
        await live.endSession(request, { context, instance: holder.instanceId }).catch((error: unknown) => {
          if (!hasEnded(error)) throw error
        })
      }
      await sessions.remove(workspace_id, session_id, actor)
      options.onRemoved()
      return {}
    },

    async getProgress({ workspace_id, session_id }, { fail }) {
      const { finalMessages, inProgress } = await messages.progress(workspace_id, session_id)
      const session = await sessions.find(workspace_id, session_id)
      if (session === undefined) return fail('session_not_found', sessionNotFound)
      return { session, final_messages: finalMessages, in_progress: inProgress }
    },

    async endSession({ workspace_id, session_id, actor }, { fail, context }) {
      const session = await sessions.find(workspace_id, session_id)
      const holder = await sessions.findHolder(workspace_id, session_id)
      if (session === undefined || holder === undefined) return fail('session_not_found', sessionNotFound)
      if (holder.instanceId === null) return fail('session_ended', sessionEnded)
      // An entry without an end, after a failure between the two, is better than an end without an entry.
      await audit(workspace_id, {
        action: 'conversation.ended',
        actor,
        details: { session_id, agent_id: session.agent_id },
      })
      const request = { workspace_id, session_id, reason: 'api_ended' as const }
      await live.endSession(request, { context, instance: holder.instanceId }).catch((error: unknown) => {
        if (hasEnded(error)) fail('session_ended', sessionEnded)
        throw error
      })
      return {}
    },

    async findInstance({ workspace_id, session_id }, { fail }) {
      const holder = await sessions.findHolder(workspace_id, session_id)
      if (holder === undefined) return fail('session_not_found', sessionNotFound)
      return holder.instanceId === null ? fail('session_ended', sessionEnded) : { instance_id: holder.instanceId }
    },

    getIceServers: () => ({ ice_servers: iceServersFor(randomUUID()), ttl_seconds: iceServerTtlSeconds }),
  }
}
