import { settlesWithin } from '@parlance/async'
import type { Handlers } from '@parlance/bus'
import type { KeyWatch } from '@parlance/clients/api-key'
import type { liveSessionsContract } from '@parlance/contracts'
import type { LiveSession } from './live-session.js'
import type { Seats } from './seats.js'
import type { StartSession } from './start-session.js'

export interface LiveHandlersOptions {
  readonly seats: Seats
  readonly startSession: StartSession
  readonly keyWatch: Pick<KeyWatch, 'add'>
  /** Those that this process holds, by their ids. */
  readonly held: Map<string, LiveSession>
  /** So many are held now. */
  onHeld(count: number): void
  /** How long those may go on that were being started when the process was asked to stop. */
  readonly drainMs: number
}

interface SessionAddress {
  workspace_id: string
  session_id: string
}

/** How long who ends a conversation waits for its record to say so. */
const overWithinMs = 3_000

/** How long the Agent may go on with what it is saying when the key of its conversation is revoked. */
const farewellMs = 1_000

export const createLiveHandlers = (options: LiveHandlersOptions): Handlers<typeof liveSessionsContract> => {
  const { seats, startSession, keyWatch, held, onHeld, drainMs } = options

  /** Who asks was told that it is here, or once was. */
  const sessionOf = (
    { workspace_id, session_id }: SessionAddress,
    fail: (code: 'session_not_found' | 'session_ended', detail: string) => never,
  ): LiveSession => {
    const session = held.get(session_id)
    if (session === undefined) return fail('session_ended', 'This session has ended.')
    return session.place.workspace_id === workspace_id
      ? session
      : fail('session_not_found', 'There is no such session.')
  }

  return {
    // Up to the seat nothing is awaited, so that an instance that is full has left the queue group before the next call.
    startSession({ grant, token, request, max_concurrent_sessions: maxConcurrentSessions }, { context }) {
      const leave = seats.take()
      return startSession({ grant, token, request, maxConcurrentSessions, context }).then(
        ({ session, answer }) => {
          held.set(session.id, session)
          onHeld(held.size)
          if (seats.draining()) session.end('drained', drainMs)
          // A session token dies with the key that minted it, and what it started ends with it.
          const unwatch = keyWatch.add(session.place, () => session.end('api_ended', farewellMs))
          void session.over.then(() => {
            unwatch()
            held.delete(session.id)
            onHeld(held.size)
            leave()
          })
          return answer
        },
        (error: unknown) => {
          leave()
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

    async *attach(address, { fail, signal }) {
      const { peer } = sessionOf(address, fail).transport
      if (peer === undefined) return fail('session_not_found', 'This session has no WebSocket.')
      yield* peer.attach(signal)
    },

    receive({ seq, items, ...address }, { fail }) {
      const { peer } = sessionOf(address, fail).transport
      if (peer === undefined) return fail('session_not_found', 'This session has no WebSocket.')
      peer.receive(seq, items)
      return {}
    },
  }
}
