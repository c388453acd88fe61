/**
 * What the peer hears, on the peer's clock.
 *
 * - Audio is written faster than it is heard, and leaves as one frame of 20 ms every 20 ms, without drift: a late tick is
 *   made up for, and after a long one the time is lost rather than sent in a burst.
 * - Silence falls at once: what was written and not played is dropped, or held while it is paused. The frame in which it falls
 *   fades out within 5 ms, so that it does not click; that much is not counted as played, and is heard again after a pause.
 */
export interface Playback {
  /** Appends 16-bit mono PCM at 24 kHz, of any length. */
  write(samples: Int16Array): void
  /** Audio written and not played, in ms. */
  waitingMs(): number
  /** Resolves when less than this waits, or when what waited was cleared. */
  below(waitingMs: number): Promise<void>
  /** Audio played since `begin`, in ms; of what was written, not of the silence between. */
  playedMs(): number
  /** A new speech: clears what waits, ends a pause, and counts from 0. */
  begin(): void
  /** Holds what waits; the peer hears silence from the next frame on. */
  pause(): void
  resume(): void
  /** Drops what waits, and ends a pause; the peer hears silence from the next frame on. */
  clear(): void
  close(): void
}
