/** How much audio is buffered before playback, for late pieces. */
const leadSeconds = 0.2
/** Audio that would play later than this after its arrival is skipped, so that a person hears the current speech. */
const maxAheadSeconds = 1

interface ScheduledPiece {
  /** On the clock of the sound card. */
  readonly atSeconds: number
  /** How much of the earlier audio is no longer played. */
  readonly skippedSeconds: number
}

/**
 * Computes when each piece of live audio plays: right after the previous one, or a moment from now when pieces are late or
 * too early.
 */
export const createPlaySchedule = () => {
  let endsAtSeconds = Number.NEGATIVE_INFINITY

  return (nowSeconds: number, durationSeconds: number): ScheduledPiece => {
    const aheadSeconds = endsAtSeconds - nowSeconds
    const skips = aheadSeconds > maxAheadSeconds
    const atSeconds = aheadSeconds < 0 || skips ? nowSeconds + leadSeconds : endsAtSeconds
    endsAtSeconds = atSeconds + durationSeconds
    return { atSeconds, skippedSeconds: skips ? aheadSeconds : 0 }
  }
}
