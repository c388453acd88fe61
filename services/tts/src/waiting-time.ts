import type { SpeechPurpose } from '@parlance/contracts'

export interface Waiting {
  readonly purpose: SpeechPurpose
  /** The time left until the caller's deadline, in ms. */
  readonly deadlineMs: number
}

/** Replies and continuations may wait until their caller's deadline. */
const longestMs: Partial<Record<SpeechPurpose, number>> = { stream: 2_000, one_shot: 8_000 }
/** Where segments take seconds, a stream may wait as long as some of them, but no longer than a text in one request. */
const streamSegments = 4
const maxStreamMs = 8_000
/** In an overload that lasts: at least so long, and as long as two segments take. */
const minMomentMs = 20
const momentSegments = 2

/** How long a request may wait to begin, where a segment takes `segmentMs`. */
export const longestWaitMs = ({ purpose, deadlineMs }: Waiting, segmentMs: number): number => {
  const usualMs = longestMs[purpose] ?? deadlineMs
  const slowMs = purpose === 'stream' ? Math.min(maxStreamMs, streamSegments * segmentMs) : 0
  return Math.min(deadlineMs, Math.max(usualMs, slowMs))
}

/** The expected wait beyond which a request is refused on arrival. */
export const acceptableWaitMs = (
  waiting: Waiting,
  { isOverloaded, segmentMs }: { readonly isOverloaded: boolean; readonly segmentMs: number },
): number => {
  const waitMs = longestWaitMs(waiting, segmentMs)
  if (!isOverloaded || longestMs[waiting.purpose] === undefined) return waitMs
  return Math.min(waitMs, Math.max(minMomentMs, momentSegments * segmentMs))
}
