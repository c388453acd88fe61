/** A mouth shape of the Oculus set, in ms from the first sample of the speech. */
export interface TimedViseme {
  readonly id: string
  readonly start_ms: number
  readonly end_ms: number
}

/**
 * Returns the speech that is being played, as `playingSpeech` of `@parlance/client` does; undefined while nothing is spoken. It is
 * called before each frame, so that the mouth follows the audio, not the arrival of messages.
 */
export type SpeechClock = () =>
  | {
      /** How much of the speech has been played, in ms. */
      readonly positionMs: number
      /** The visemes received so far, in order of their start. */
      readonly visemes: readonly TimedViseme[]
    }
  | undefined
