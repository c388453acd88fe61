/**
 * Controlled delay: distinguishes a burst, for which a request may wait, from an overload that lasts, in which waiting only makes
 * every answer late. After CoDel (RFC 8289) and B. Maurer, "Fail at Scale", ACM Queue 2015.
 *
 * - A queue that empties at least every two seconds is a burst. A queue that has not is standing.
 * - A standing queue becomes a burst again when it empties. Then a queue may last for a quarter of the time since, until
 *   that is two seconds again: the queue of a lasting overload empties now and then because few are admitted to it.
 * - Only requests that wait count. A refused request changes nothing, so refusals cannot prolong an overload.
 */

/** Times are in ms on one clock. */
export interface ControlledDelay {
  /** Since when the queue has not been empty; undefined while it is empty. */
  readonly queuedSinceMs: number | undefined
  /** When the last standing queue was empty again. */
  readonly recoveredAtMs: number
}

/** What has become of the queue. Repeating either changes nothing. */
export type QueueEvent = 'queued' | 'emptied'

const maxBurstMs = 2_000
const burstShare = 1 / 4

export const initialControlledDelay: ControlledDelay = {
  queuedSinceMs: undefined,
  recoveredAtMs: Number.NEGATIVE_INFINITY,
}

export const isStanding = ({ queuedSinceMs, recoveredAtMs }: ControlledDelay, nowMs: number): boolean =>
  queuedSinceMs !== undefined &&
  nowMs - queuedSinceMs > Math.min(maxBurstMs, (queuedSinceMs - recoveredAtMs) * burstShare)

export const controlledDelay = (state: ControlledDelay, event: QueueEvent, nowMs: number): ControlledDelay => {
  if (event === 'queued') return state.queuedSinceMs === undefined ? { ...state, queuedSinceMs: nowMs } : state
  if (state.queuedSinceMs === undefined) return state
  return { queuedSinceMs: undefined, recoveredAtMs: isStanding(state, nowMs) ? nowMs : state.recoveredAtMs }
}
