import type { SessionPlace } from '@parlance/clients/session-registry'
import type { EndReason } from '@parlance/contracts'
import type { OpenedTransport } from '../media/opened-transport.js'

/** A conversation that is live in this process. */
export interface LiveSession {
  readonly id: string
  readonly place: SessionPlace
  readonly transport: OpenedTransport
  end(reason: EndReason, deadlineMs: number): void
  /** Resolves when the conversation has ended and its record is complete. Never rejects. */
  readonly over: Promise<void>
}
