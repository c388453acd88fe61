import { createForcedCuts, sentencesOf } from '@parlance/speech/sentences'
import { phraseStarts } from './phrase-openers.js'

/** Text that is spoken in one go, with its place in the whole. */
export interface SpeechPiece {
  readonly text: string
  /** In UTF-16 units. */
  readonly start: number
  /** The piece and the white space after it, by which the pause after it is chosen. */
  readonly untilNext: string
}

export interface PieceOptions {
  /** A BCP 47 tag; null is English. */
  readonly language: string | null
  /** Whether a listener waits for the first piece, which is then a short one. */
  readonly isAwaited: boolean
}

/** The longest pieces, in UTF-16 units without the white space around them: four seconds of speech, and eight. */
const maxAwaitedLength = 60
const maxLength = 120
/** A shorter part of a sentence sounds torn from the rest. */
const minLength = 20

const clauseEnds = /[,;:–—]\s+|[，、；：]/gu

/**
 * Cuts a text into sentences by the rules of its language, and a long sentence at the ends of clauses, before a conjunction, or
 * where there is neither between two words. A model returns nothing before a piece is complete and cannot be stopped within
 * one, so shorter pieces start and stop sooner. The pieces, joined, are the text.
 */
export const speechPieces = (text: string, { language, isAwaited }: PieceOptions): SpeechPiece[] => {
  let start = 0
  return sentencesOf(text, language)
    .flatMap((sentence, index) => partsOf(sentence, language, index === 0 && isAwaited ? maxAwaitedLength : maxLength))
    .map((piece) => {
      const end = start + piece.length
      const spaceAfter = /^\s*/.exec(text.slice(end))![0]
      const found = { text: piece, start, untilNext: piece + spaceAfter }
      start = end
      return found
    })
}

/** `limit` is the length of the first part. */
const partsOf = (sentence: string, language: string | null, limit: number): string[] => {
  const parts: string[] = []
  let rest = sentence
  for (let max = limit; rest.trim().length > max; max = maxLength) {
    const end = cutIn(rest, language, max)
    if (end === undefined) break
    parts.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  return [...parts, rest]
}

/** The best place for a cut: at most at `max`, or at the first clause after it; undefined where the text may stay whole. */
const cutIn = (text: string, language: string | null, max: number): number | undefined => {
  const lengthUntil = (end: number) => text.slice(0, end).trim().length
  const leavesParts = (end: number) =>
    lengthUntil(end) >= minLength && lengthUntil(end) <= maxLength && text.slice(end).trim().length >= minLength
  const clauses = [...text.matchAll(clauseEnds)].map(({ 0: mark, index }) => index + mark.length).filter(leavesParts)
  const fits = (end: number) => lengthUntil(end) <= max
  const found = clauses.findLast(fits) ?? phraseStarts(text, language).filter(leavesParts).findLast(fits) ?? clauses[0]
  if (found !== undefined || text.trim().length <= maxLength) return found
  const limit = max + /^\s*/.exec(text)![0].length
  return createForcedCuts((language ?? 'en').toLowerCase().split('-', 1)[0]!).atLimit({ text, start: 0, limit })
}
