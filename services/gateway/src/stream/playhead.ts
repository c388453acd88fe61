/**
 * How far the audio that was sent reaches beyond what a listener can have heard by now, who began with the first of it
 * and waited wherever there was none. What a kernel holds for a reader that has stopped looks sent: only this bounds it.
 * Looked at for each frame of hundreds of streams, so it is one place in memory, and no functions of its own.
 */
export interface Playhead {
  /** When the last of what was sent will have been heard. */
  endsAtMs: number
  /** All that was sent. */
  sentMs: number
}

export const createPlayhead = (): Playhead => ({ endsAtMs: Number.NEGATIVE_INFINITY, sentMs: 0 })

/** In ms. */
export const aheadMs = ({ endsAtMs }: Playhead, nowMs: number): number => Math.max(0, endsAtMs - nowMs)

/** By the next piece of the audio, which is sent now. */
export const advance = (
  playhead: Playhead,
  { start_ms, duration_ms }: { readonly start_ms: number; readonly duration_ms: number },
  nowMs: number,
): void => {
  playhead.endsAtMs = Math.max(playhead.endsAtMs, nowMs) + duration_ms
  playhead.sentMs = start_ms + duration_ms
}

/** Of all that was sent. */
export const heardMs = (playhead: Playhead, nowMs: number): number =>
  Math.max(0, playhead.sentMs - aheadMs(playhead, nowMs))
