import type { TimedViseme, TimedWord } from './client-events.js'

/** The speech that is being played. */
export interface PlayingSpeech {
  /** The id of the message in the transcript. */
  readonly speechId: string
  /** From the first sample of the speech to the sample that is being played. */
  readonly positionMs: number
  /** All words received so far, in order. */
  readonly words: readonly TimedWord[]
  readonly visemes: readonly TimedViseme[]
}
