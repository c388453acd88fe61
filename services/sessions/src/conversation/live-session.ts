import type { SessionPlace } from '@parlance/clients/session-registry'
import type { EndReason } from '@parlance/contracts'
import type { AudioTap } from '../media/audio-tap.js'
import type { OpenedTransport } from '../media/transport.js'

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
