/**
 * How far the sent audio is ahead of a listener that started with the first chunk and waited for late ones. Bytes
 * that the kernel buffers for a client that does not read count as sent, so only this limits them. It is updated for each frame
 * of hundreds of streams, so it is a plain object with functions beside it.
 */
export interface Playhead {
  /** When all audio that was sent will have been played, on the clock of `performance`. */
  endsAtMs: number
  /** The audio that was sent. */
  sentMs: number
}

export const createPlayhead = (): Playhead => ({ endsAtMs: Number.NEGATIVE_INFINITY, sentMs: 0 })

/** The amount by which the audio is ahead, in ms. */
export const aheadMs = ({ endsAtMs }: Playhead, nowMs: number): number => Math.max(0, endsAtMs - nowMs)

/** The next chunk is sent now. */
export const advance = (
  playhead: Playhead,
  { start_ms, duration_ms }: { readonly start_ms: number; readonly duration_ms: number },
  nowMs: number,
): void => {
  playhead.endsAtMs = Math.max(playhead.endsAtMs, nowMs) + duration_ms
  playhead.sentMs = start_ms + duration_ms
}

/** The audio that a listener can have played by now, in ms. */
export const playedMs = (playhead: Playhead, nowMs: number): number =>
  Math.max(0, playhead.sentMs - aheadMs(playhead, nowMs))
