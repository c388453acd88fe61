/** A mouth shape of the Oculus set, in ms from the first sample of the speech. */
export interface TimedViseme {
  readonly id: string
  readonly start_ms: number
  readonly end_ms: number
}

/**
 * The speech that is being played, and the position in it. It is read before each frame, so that the mouth follows the
 * audio, not the arrival of messages.
 */
export interface SpeechClock {
  /** How much of the current speech has been played, in ms; undefined while nothing is spoken. */
  positionMs(): number | undefined
  /** The visemes of the current speech received so far, in order of their start. */
  visemes(): readonly TimedViseme[]
}
