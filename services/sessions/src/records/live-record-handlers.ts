/** Operations on a live conversation by its record, on whichever instance it runs. */
import { type Client, type Handlers, missingReplyOf } from '@parlance/bus'
import { type AuditEvent, type liveSessionsContract, ServiceError, type sessionsContract } from '@parlance/contracts'
import type { MessageRepository } from './message-repository.js'
import type { SessionRepository } from './session-repository.js'

export interface LiveRecordHandlersOptions {
  sessions: Pick<SessionRepository, 'find' | 'findHolder' | 'remove'>
  messages: Pick<MessageRepository, 'progress'>
  live: Pick<Client<typeof liveSessionsContract>, 'endSession'>
  /** Adds an act to the audit log of a workspace. */
  audit(workspaceId: string, event: AuditEvent): Promise<void>
  /** A record was removed, and what belongs to it elsewhere is to be. */
  onRemoved(): void
}

type LiveRecordHandlers = Pick<
  Handlers<typeof sessionsContract>,
  'deleteSession' | 'getProgress' | 'endSession' | 'findInstance'
>

export const sessionNotFound = 'There is no such session.'
const sessionEnded = 'This session has ended.'

/** The conversation has ended already, or its instance has stopped. */
const hasEnded = (error: unknown): boolean =>
  missingReplyOf(error) !== undefined ||
  (error instanceof ServiceError && (error.code === 'session_ended' || error.code === 'session_not_found'))

export const createLiveRecordHandlers = (options: LiveRecordHandlersOptions): LiveRecordHandlers => {
  const { sessions, messages, live, audit, onRemoved } = options

  return {
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
      onRemoved()
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
  }
}
