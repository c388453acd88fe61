/**
 * Judges by the sound of the user's voice whether a turn is complete, beside the words (`turn/completeness.ts`) and the
 * silence (`turn/endpointing.ts`). Adapter: `process-turn-detector.ts`. One detector serves many conversations.
 */
export interface TurnDetector {
  readonly name: string
  /** BCP 47 tags of the languages that it knows, compared by their first part; undefined when the language does not matter. */
  readonly languages: readonly string[] | undefined
  /** How much of the end of an utterance it uses. */
  readonly audioMs: number
  /**
   * Takes an utterance up to a pause: mono PCM at 16 kHz. Resolves to the probability that the user has finished, from 0 to 1,
   * or to undefined when there is no answer in time. Never rejects.
   */
  detect(samples: Int16Array): Promise<number | undefined>
  close(): Promise<void>
}
