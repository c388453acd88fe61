import type { SpeechMarks } from '@parlance/engine/protocol'
import type { Lexicon } from '@parlance/models'
import type { SpeechPiece } from '@parlance/speech/sentences'
import { estimateWordTimes, letterWeight, phonemeWeight, spokenWords } from '@parlance/speech/word-times'

/** How the words of a model are weighted: by its lexicon, otherwise by their letters. */
export interface WordSource {
  readonly lexicon: Lexicon
  /** Whether words outside of the lexicon are not spoken. */
  readonly speaksLexiconOnly: boolean
}

const weigh =
  ({ lexicon, speaksLexiconOnly }: WordSource) =>
  (word: string): number | undefined => {
    const phonemes = lexicon.get(word.toLowerCase().replaceAll('’', "'"))
    if (phonemes !== undefined) return phonemeWeight(phonemes)
    return speaksLexiconOnly ? undefined : letterWeight(word)
  }

/** The audio of a piece, and the number of samples before it. */
interface SpokenPiece {
  readonly pcm: Int16Array
  readonly sampleRateHz: number
  readonly samplesBefore: number
}

/** Estimates the times of the words from the audio of a piece, since the models report none. */
export const wordMarks = (
  { text, start }: SpeechPiece,
  { pcm, sampleRateHz, samplesBefore }: SpokenPiece,
  source: WordSource,
): SpeechMarks => {
  const beforeMs = Math.floor((samplesBefore * 1000) / sampleRateHz)
  const words = estimateWordTimes(spokenWords(text, weigh(source)), pcm, sampleRateHz)
  return {
    words: words.map((word) => ({
      text: word.text,
      textStart: start + word.textStart,
      textEnd: start + word.textEnd,
      startMs: beforeMs + word.startMs,
      endMs: beforeMs + word.endMs,
    })),
    phonemes: [],
  }
}
