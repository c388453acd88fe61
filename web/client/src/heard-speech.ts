import type { TimedViseme, TimedWord } from './client-events.js'

/** Speech of which this moment is heard. */
export interface HeardSpeech {
  /** The id of the message in the transcript. */
  readonly speechId: string
  /** From its first sample to what is heard now. */
  readonly positionMs: number
  /** All that is known of it so far, in order. */
  readonly words: readonly TimedWord[]
  readonly visemes: readonly TimedViseme[]
}
