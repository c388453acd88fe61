import { endsSentence, punctuationPauseMs } from '@parlance/speech/sentences'

/** Silence that is left at the end of an utterance's audio, which ends without its last pause. */
export const tailMs = 20

export interface UtterancePauses {
  readonly speed: number
  /** The pauses in ms that flite made before and after the sound of the utterance. */
  readonly firstPauseMs: number
  readonly lastPauseMs: number
}

/**
 * Returns the silence in ms between the audio of `text` and that of the next utterance, whose own first pause is left out. After a
 * sentence it is at least the two pauses that flite makes between two utterances. Within a sentence flite makes one pause at a comma,
 * as long as the first of an utterance.
 */
export const pauseAfterMs = (text: string, { speed, firstPauseMs, lastPauseMs }: UtterancePauses): number => {
  const madeMs = firstPauseMs + (endsSentence(text) ? lastPauseMs : 0)
  return Math.max(0, Math.max(madeMs, punctuationPauseMs(text, { language: 'en', speed })) - tailMs)
}
