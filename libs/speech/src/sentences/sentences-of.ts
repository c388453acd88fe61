import { createSegmentCutter } from '../segment-cutter.js'

/**
 * Returns the white space at the start of `text` when it contains a blank line; otherwise an empty string. It belongs to the
 * paragraph before: an engine makes the pause of a paragraph only where its text ends with the blank line.
 */
export const leadingBlankLine = (text: string): string => {
  const space = /^\s*/.exec(text)![0]
  return space.length < text.length && /(?:\r\n|[\n\r\u2028\u2029])[^\S\n\r]*[\n\r\u2028\u2029]/.test(space)
    ? space
    : ''
}

/**
 * Cuts a text into its sentences by the rules of a language, a BCP 47 tag; null is English. Joined, they are the text,
 * verbatim; a blank line stays with the sentence before it. A sentence longer than a segment may be is cut at its clauses.
 */
export const sentencesOf = (text: string, language: string | null): string[] => {
  const cutter = createSegmentCutter(language)
  cutter.add(text)
  const next = () => cutter.next(Number.POSITIVE_INFINITY) ?? cutter.rest(false)
  const sentences: string[] = []
  for (let sentence = next(); sentence !== ''; sentence = next()) {
    const space = sentences.length === 0 ? '' : leadingBlankLine(sentence)
    if (space !== '') sentences.push(sentences.pop()! + space)
    sentences.push(sentence.slice(space.length))
  }
  return sentences
}
