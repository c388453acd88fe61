/** A mouth shape of the Oculus set, in ms from the first sample of the speech. */
export interface TimedViseme {
  readonly id: string
  readonly start_ms: number
  readonly end_ms: number
}

/**
 * What is being said, and how much of it has been heard. It is asked before each frame, so that the mouth goes by what
 * comes out of the loudspeaker, not by when messages arrive.
 */
export interface SpeechClock {
  /** How much of the current speech has been played, in ms; undefined while nothing is spoken. */
  positionMs(): number | undefined
  /** Those of the current speech that are known by now, in order of their start. */
  visemes(): readonly TimedViseme[]
}
