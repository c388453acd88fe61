import type { EndReason } from '@parlance/contracts'
import type { SessionPlace } from '@parlance/session-registry'
import type { OpenedTransport } from '../transport/opened-transport.js'

/** A conversation that this process holds. */
export interface LiveSession {
  readonly id: string
  readonly place: SessionPlace
  readonly transport: OpenedTransport
  end(reason: EndReason, deadlineMs: number): void
  /** Resolves when its record says how it ended and nothing of it is left. Never rejects. */
  readonly over: Promise<void>
}
