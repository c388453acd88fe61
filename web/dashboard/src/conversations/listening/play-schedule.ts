/** So much audio is kept before it plays, for pieces that come late. */
const leadSeconds = 0.2
/** Audio that plays later than this after it came is skipped, so that a person listens to what is said now. */
const maxAheadSeconds = 1

export interface ScheduledPiece {
  /** On the clock of the sound card. */
  readonly atSeconds: number
  /** So much that came before is not played any more. */
  readonly skippedSeconds: number
}

/** When each piece of live audio plays: right after the one before, or a moment from now where pieces came late or too early. */
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
