import { sentencesOf } from '@parlance/speech/sentences'

/** Text that is spoken in one go, with its place in the whole. */
export interface SpeechPiece {
  readonly text: string
  /** In UTF-16 units. */
  readonly start: number
  /** The piece and the white space after it, by which the pause after it is chosen. */
  readonly untilNext: string
}

/** A clause may be a piece when it is this long; shorter ones sound torn from what follows. In UTF-16 units. */
const clauseLength = 60

const clauseEnds = /[,;:–—]\s+|[，、；：]/gu

/**
 * Cuts a text into sentences by the rules of its language, and long sentences at the ends of clauses. A model returns nothing
 * before a piece is complete and cannot be stopped within one, so shorter pieces start and stop sooner. The pieces, joined,
 * are the text.
 */
export const speechPieces = (text: string, language: string | null): SpeechPiece[] => {
  let start = 0
  return sentencesOf(text, language)
    .flatMap(clausesOf)
    .map((piece) => {
      const end = start + piece.length
      const spaceAfter = /^\s*/.exec(text.slice(end))![0]
      const found = { text: piece, start, untilNext: piece + spaceAfter }
      start = end
      return found
    })
}

const clausesOf = (sentence: string): string[] => {
  const clauses: string[] = []
  let start = 0
  for (const { 0: mark, index } of sentence.matchAll(clauseEnds)) {
    const end = index + mark.length
    if (end - start < clauseLength || end === sentence.length) continue
    clauses.push(sentence.slice(start, end))
    start = end
  }
  return [...clauses, sentence.slice(start)]
}
