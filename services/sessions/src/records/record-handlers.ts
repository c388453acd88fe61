import { randomUUID } from 'node:crypto'
import type { Client, Handlers } from '@parlance/bus'
import { missingReplyOf } from '@parlance/bus'
import { type IceServer, type liveSessionsContract, ServiceError, type sessionsContract } from '@parlance/contracts'
import { iceServerTtlSeconds } from '../media/webrtc/ice-servers.js'
import type { MessageRepository } from './message-repository.js'
import type { SessionRepository } from './session-repository.js'
import type { TurnRepository } from './turn-repository.js'

export interface RecordHandlersOptions {
  sessions: Pick<SessionRepository, 'find' | 'list' | 'findHolder' | 'remove'>
  messages: MessageRepository
  turns: TurnRepository
  live: Pick<Client<typeof liveSessionsContract>, 'endSession'>
  iceServersFor(name: string): IceServer[]
}

const sessionNotFound = 'There is no such session.'

/** More messages than fit into an answer, whose size decides how much of a transcript a record shows. */
const maxShown = 10_000

/** The conversation has ended already, or its instance has stopped. */
const hasEnded = (error: unknown): boolean =>
  missingReplyOf(error) !== undefined ||
  (error instanceof ServiceError && (error.code === 'session_ended' || error.code === 'session_not_found'))

export const createRecordHandlers = (options: RecordHandlersOptions): Handlers<typeof sessionsContract> => {
  const { sessions, messages, turns, live, iceServersFor } = options

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

    async deleteSession({ workspace_id, session_id }, { fail, context }) {
      const holder = await sessions.findHolder(workspace_id, session_id)
      if (holder === undefined) return fail('session_not_found', sessionNotFound)
      if (holder.instanceId !== null) {
        const request = { workspace_id, session_id, reason: 'api_ended' as const }
        await live.endSession(request, { context, instance: holder.instanceId }).catch((error: unknown) => {
          if (!hasEnded(error)) throw error
        })
      }
      await sessions.remove(workspace_id, session_id)
      return {}
    },

    getIceServers: () => ({ ice_servers: iceServersFor(randomUUID()), ttl_seconds: iceServerTtlSeconds }),
  }
}
