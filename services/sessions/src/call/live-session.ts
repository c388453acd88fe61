import type { SessionPlace } from '@parlance/clients/session-registry'
import type { EndReason } from '@parlance/contracts'
import type { OpenedTransport } from '../media/opened-transport.js'

/** A conversation that this process holds. */
export interface LiveSession {
  readonly id: string
  readonly place: SessionPlace
  readonly transport: OpenedTransport
  end(reason: EndReason, deadlineMs: number): void
  /** Resolves when its record says how it ended and nothing of it is left. Never rejects. */
  readonly over: Promise<void>
}
