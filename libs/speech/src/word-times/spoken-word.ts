import { letterWeight } from './word-weight.js'

/** A word of a text, verbatim: `text` is the part between the two UTF-16 offsets. */
export interface SpokenWord {
  readonly text: string
  readonly textStart: number
  readonly textEnd: number
  /** Its relative duration, above zero. */
  readonly weight: number
  /** Whether a mark follows at which people pause. */
  readonly pauseAfter: boolean
}

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })
const pauseMark = /[,;:.!?…–—()[\]"“”«»。、，！？；：\n]/u

/**
 * The words of a text in order. `weightOf` returns the weight of a word, or undefined for a word that the engine does not
 * speak; by default words are weighted by their letters.
 */
export const spokenWords = (
  text: string,
  weightOf: (word: string) => number | undefined = letterWeight,
): SpokenWord[] => {
  const words: (Omit<SpokenWord, 'pauseAfter'> & { pauseAfter: boolean })[] = []
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    if (isWordLike) {
      const weight = weightOf(segment)
      if (weight === undefined) continue
      words.push({
        text: segment,
        textStart: index,
        textEnd: index + segment.length,
        weight: Math.max(weight, 0.1),
        pauseAfter: false,
      })
    } else if (pauseMark.test(segment)) {
      const last = words.at(-1)
      if (last !== undefined) last.pauseAfter = true
    }
  }
  return words
}
