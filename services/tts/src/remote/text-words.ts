/** A word and its place in the text, in UTF-16 offsets. */
export interface TextWord {
  readonly text: string
  readonly textStart: number
  readonly textEnd: number
}

const segmenters = new Map<string, Intl.Segmenter>()

const segmenterOf = (language: string): Intl.Segmenter => {
  const existing = segmenters.get(language)
  if (existing !== undefined) return existing
  const segmenter = new Intl.Segmenter(language, { granularity: 'word' })
  segmenters.set(language, segmenter)
  return segmenter
}

/** Returns the words of a text, also in languages without spaces between words. */
export const wordsOfText = (text: string, language: string): TextWord[] =>
  [...segmenterOf(language).segment(text)]
    .filter(({ isWordLike }) => isWordLike === true)
    .map(({ segment, index }) => ({ text: segment, textStart: index, textEnd: index + segment.length }))
