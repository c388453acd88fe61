import { settlesWithin } from '@parlance/async'
import type { Handlers } from '@parlance/bus'
import type { KeyWatch } from '@parlance/clients/api-key'
import type { liveSessionsContract } from '@parlance/contracts'
import type { Permits } from '../start/permits.js'
import type { StartSession } from '../start/start-session.js'
import type { ListenHandler } from './listen-handler.js'
import type { LiveSession } from './live-session.js'

interface LiveHandlersOptions {
  readonly permits: Permits
  readonly startSession: StartSession
  readonly keyWatch: Pick<KeyWatch, 'add'>
  readonly listen: ListenHandler
  /** The conversations of this process, by their ids. */
  readonly liveSessions: Map<string, LiveSession>
  /** Called with their number whenever it changes. */
  onCount(count: number): void
  /** How long a conversation may continue that was being started when the process began to stop. */
  readonly drainMs: number
}

interface SessionAddress {
  workspace_id: string
  session_id: string
}

/** How long a caller that ends a conversation waits for the end of its record. */
const overWithinMs = 3_000

/** How long the agent may continue to speak when the key of its conversation is revoked. */
const farewellMs = 1_000

export const createLiveHandlers = (options: LiveHandlersOptions): Handlers<typeof liveSessionsContract> => {
  const { permits, startSession, keyWatch, listen, liveSessions, onCount, drainMs } = options

  /** The registry named this instance for the session, so one that is not here has ended. */
  const sessionOf = (
    { workspace_id, session_id }: SessionAddress,
    fail: (code: 'session_not_found' | 'session_ended', detail: string) => never,
  ): LiveSession => {
    const session = liveSessions.get(session_id)
    if (session === undefined) return fail('session_ended', 'This session has ended.')
    return session.place.workspace_id === workspace_id
      ? session
      : fail('session_not_found', 'There is no such session.')
  }

  return {
    // Nothing is awaited before the permit is taken, so that a full instance has left the queue group before the next call.
    startSession(
      { grant, token, request, phone, realtime, max_concurrent_sessions: maxConcurrentSessions },
      { context },
    ) {
      const release = permits.take()
      return startSession({ grant, token, request, phone, realtime, maxConcurrentSessions, context }).then(
        ({ session, answer }) => {
          liveSessions.set(session.id, session)
          onCount(liveSessions.size)
          if (permits.isDraining()) session.end('drained', drainMs)
          // A session token is valid no longer than the key that minted it, and so is the conversation it started.
          const unwatch = keyWatch.add(session.place, () => session.end('api_ended', farewellMs))
          void session.over.then(() => {
            unwatch()
            liveSessions.delete(session.id)
            onCount(liveSessions.size)
            release()
          })
          return answer
        },
        (error: unknown) => {
          release()
          throw error
        },
      )
    },

    async updateSession({ update, ...address }, { fail }) {
      const answer = await sessionOf(address, fail).transport.update(update)
      return { sdp: answer === null ? null : { type: 'answer', sdp: answer } }
    },

    async endSession({ reason, deadline_ms: deadlineMs, ...address }, { fail }) {
      const session = sessionOf(address, fail)
      session.end(reason, deadlineMs)
      if (deadlineMs === 0) await settlesWithin(session.over, overWithinMs)
      return {}
    },

    async connectClient(address, { fail }, peer) {
      const { websocketClient } = sessionOf(address, fail).transport
      if (websocketClient === undefined) return fail('session_not_found', 'This session has no WebSocket.')
      await websocketClient.connect(peer)
    },

    async *listen({ actor, ...address }, context) {
      yield* listen(sessionOf(address, context.fail), actor, context)
    },
  }
}
