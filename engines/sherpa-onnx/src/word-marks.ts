import type { SpeechMarks } from '@parlance/engine/protocol'
import type { Lexicon } from '@parlance/models'
import { estimateWordTimes, letterWeight, phonemeWeight, spokenWords } from '@parlance/speech/word-times'
import type { SpeechPiece } from './speech-piece.js'

/** How a model's words are weighed: by its lexicon, else by their letters. */
export interface WordSource {
  readonly lexicon: Lexicon
  /** Words outside of the lexicon are left unspoken. */
  readonly speaksLexiconOnly: boolean
}

const weigh =
  ({ lexicon, speaksLexiconOnly }: WordSource) =>
  (word: string): number | undefined => {
    const phonemes = lexicon.get(word.toLowerCase().replaceAll('’', "'"))
    if (phonemes !== undefined) return phonemeWeight(phonemes)
    return speaksLexiconOnly ? undefined : letterWeight(word)
  }

/** What was made of a piece, and how much was made of those before. */
export interface SpokenPiece {
  readonly pcm: Int16Array
  readonly sampleRateHz: number
  readonly samplesBefore: number
}

/** The models tell no times: they are reckoned from the audio of a piece. */
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
    estimated: true,
  }
}
