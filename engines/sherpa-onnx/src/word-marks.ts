import type { SpeechMarks } from '@parlance/engine-protocol'
import type { Lexicon } from '@parlance/speech-models'
import { estimateWordTimes, letterWeight, phonemeWeight, spokenWords } from '@parlance/word-times'

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

/** The models tell no times: they are reckoned from the whole of an utterance. */
export const wordMarks = (text: string, pcm: Int16Array, sampleRateHz: number, source: WordSource): SpeechMarks => ({
  words: estimateWordTimes(spokenWords(text, weigh(source)), pcm, sampleRateHz),
  phonemes: [],
  estimated: true,
})
