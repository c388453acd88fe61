import { randomUUID } from 'node:crypto'
import type { Handlers } from '@parlance/bus'
import type { IceServer, sessionsContract } from '@parlance/contracts'
import type { AnalysisRepository } from '../analysis/analysis-repository.js'
import type { EvaluationRepository } from '../analysis/evaluation-repository.js'
import { iceServerTtlSeconds } from '../media/webrtc/ice-servers.js'
import type { TryTool } from '../tools/try-tool.js'
import { createLiveRecordHandlers, type LiveRecordHandlersOptions, sessionNotFound } from './live-record-handlers.js'
import type { MessageRepository } from './message-repository.js'
import type { SessionRepository } from './session-repository.js'
import type { ToolCallRepository } from './tool-call-repository.js'
import type { TurnRepository } from './turn-repository.js'

export interface RecordHandlersOptions extends LiveRecordHandlersOptions {
  sessions: Pick<SessionRepository, 'find' | 'list' | 'overview' | 'findHolder' | 'remove'>
  messages: MessageRepository
  turns: TurnRepository
  toolCalls: ToolCallRepository
  analyses: Pick<AnalysisRepository, 'find'>
  evaluations: EvaluationRepository
  tryTool: TryTool
  iceServersFor(name: string): IceServer[]
}

/** More messages than fit into an answer, whose size decides how much of a transcript a record shows. */
const maxShown = 10_000

export const createRecordHandlers = (options: RecordHandlersOptions): Handlers<typeof sessionsContract> => {
  const { sessions, messages, turns, toolCalls, analyses, evaluations, tryTool, iceServersFor } = options

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

    getOverview: ({ workspace_id, from }) => sessions.overview(workspace_id, from),

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

    ...createLiveRecordHandlers(options),

    getIceServers: () => ({ ice_servers: iceServersFor(randomUUID()), ttl_seconds: iceServerTtlSeconds }),
  }
}
