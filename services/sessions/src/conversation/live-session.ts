import type { SessionPlace } from '@parlance/clients/session-registry'
import type { EndReason } from '@parlance/contracts'
import type { AudioTap } from '../media/audio-tap.js'
import type { OpenedTransport } from '../media/transport.js'

/** How long before its deadline an end is announced to the client; the agent may then finish its reply. */
export const announcedMs = 15_000

/**
 * Calls `end` at most `announcedMs` before the deadline: until then the conversation continues unchanged, and may end by
 * itself. The earliest of several ends applies. `cancel` is to be called when the conversation is over.
 */
export const createAnnouncedEnd = (end: LiveSession['end']): Pick<LiveSession, 'end'> & { cancel(): void } => {
  let dueMs = Number.POSITIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  return {
    end(reason, deadlineMs) {
      const waitMs = deadlineMs - announcedMs
      if (waitMs <= 0) return end(reason, deadlineMs)
      const atMs = performance.now() + waitMs
      if (atMs >= dueMs) return
      clearTimeout(timer)
      dueMs = atMs
      timer = setTimeout(() => end(reason, announcedMs), waitMs)
    },
    cancel: () => clearTimeout(timer),
  }
}

/** A conversation that is live in this process. */
export interface LiveSession {
  readonly id: string
  readonly place: SessionPlace
  readonly transport: OpenedTransport
  readonly audioTap: Pick<AudioTap, 'listen'>
  /**
   * The conversation continues until 15 s before the deadline. Then the client is sent `session.ending`, and the agent may finish
   * its reply.
   */
  end(reason: EndReason, deadlineMs: number): void
  /** Resolves when the conversation has ended and its record is complete. Never rejects. */
  readonly over: Promise<void>
}
