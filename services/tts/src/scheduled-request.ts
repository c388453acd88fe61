import type { Claimant } from './fair-order.js'

export interface ScheduledWorkspace extends Claimant {
  readonly id: string
  slots: number
  /** Requests that are admitted and not over. */
  requests: number
  /** Requests that wait for an engine, or are about to. */
  readonly replies: Set<ScheduledRequest>
  readonly others: Set<ScheduledRequest>
}

export interface ScheduledRequest extends Claimant {
  readonly workspace: ScheduledWorkspace
  readonly isReply: boolean
  /** Each is called when the engine is there. */
  readonly waiting: Set<() => void>
  /** When it is refused unless it has begun. */
  readonly expiresAtMs: number
  /** Its first segment has not started. */
  arriving: boolean
  begun: boolean
  /** It needs no further engine. */
  left: boolean
  hasSlot: boolean
  /** It has not begun, and waits for an engine. */
  isQueued: boolean
}

/** Whether a segment of the request waits for an engine. */
export const hasWaiting = (request: ScheduledRequest): boolean => request.waiting.size > 0
