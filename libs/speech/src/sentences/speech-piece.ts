import { createForcedCuts } from '../forced-cut.js'
import { sentencesOf } from './sentences-of.js'

/** Words that begin a clause without a comma before them, by the primary subtag of the language. */
const openers: Readonly<Record<string, string>> = {
  en: 'and but or so because which who that when while where if although though until unless',
  de: 'und aber oder denn sondern weil dass wenn',
  fr: 'et mais ou donc car qui que quand lorsque puis',
  es: 'y e pero o u porque que cuando aunque',
  it: 'e ed ma o oppure perché che quando',
  pt: 'e mas ou porque que quando embora',
  nl: 'en maar of want omdat dat wanneer als',
}

const patterns = new Map(
  Object.entries(openers).map(([language, words]) => [
    language,
    new RegExp(`(?<=[\\p{L}\\p{N}])\\s+(?=(?:${words.replaceAll(' ', '|')})\\s)`, 'gu'),
  ]),
)

/** Returns the offsets in `text` before the white space in front of such a word; none for an unknown language. */
const phraseStarts = (text: string, language: string | null): number[] => {
  const pattern = patterns.get((language ?? 'en').toLowerCase().split('-', 1)[0]!)
  return pattern === undefined ? [] : [...text.matchAll(pattern)].map(({ index }) => index)
}

/** Text that is spoken in one call, with its offset in the whole text. */
export interface SpeechPiece {
  readonly text: string
  /** In UTF-16 units. */
  readonly start: number
  /** The piece and the white space after it, by which the pause after it is chosen. */
  readonly untilNext: string
}

interface PieceOptions {
  /** A BCP 47 tag; null is English. */
  readonly language: string | null
  /** Whether a listener waits for the first piece, which is then a short one. */
  readonly isAwaited: boolean
}

/** Lengths of pieces, in UTF-16 units without the white space around them. */
interface PieceLimits {
  /** The maximum length of a piece that a listener waits for: four seconds of speech. */
  readonly maxAwaitedLength: number
  /** The maximum length of any other piece: eight seconds. */
  readonly maxLength: number
  /** A shorter part of a sentence sounds detached from the rest. */
  readonly minLength: number
}
const limitsOfLetters: PieceLimits = { maxAwaitedLength: 60, maxLength: 120, minLength: 20 }
/** For scripts in which a character is a syllable. */
const limitsOfSyllables: PieceLimits = { maxAwaitedLength: 24, maxLength: 48, minLength: 8 }
const syllabicLanguages = new Set(['ja', 'ko', 'yue', 'zh'])

const primaryOf = (language: string | null) => (language ?? 'en').toLowerCase().split('-', 1)[0]!

const clauseEnds = /[,;:–—]\s+|[，、；：]/gu

/**
 * Cuts a text into sentences by the rules of its language, and a long sentence at the ends of clauses, before a conjunction, or
 * where there is neither between two words. A model returns nothing before a piece is complete and cannot be stopped within
 * one, so shorter pieces start and stop sooner. The pieces, joined, are the text.
 */
export const speechPieces = (text: string, { language, isAwaited }: PieceOptions): SpeechPiece[] => {
  const limits = syllabicLanguages.has(primaryOf(language)) ? limitsOfSyllables : limitsOfLetters
  let start = 0
  return sentencesOf(text, language)
    .flatMap((sentence, index) => partsOf(sentence, { language, limits, isAwaited: isAwaited && index === 0 }))
    .map((piece) => {
      const end = start + piece.length
      const spaceAfter = /^\s*/.exec(text.slice(end))![0]
      const found = { text: piece, start, untilNext: piece + spaceAfter }
      start = end
      return found
    })
}

interface CutOptions extends PieceOptions {
  readonly limits: PieceLimits
}

const partsOf = (sentence: string, options: CutOptions): string[] => {
  const { maxAwaitedLength, maxLength } = options.limits
  const parts: string[] = []
  let rest = sentence
  for (let max = options.isAwaited ? maxAwaitedLength : maxLength; rest.trim().length > max; max = maxLength) {
    const end = cutIn(rest, max, options)
    if (end === undefined) break
    parts.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  return [...parts, rest]
}

/** The best place for a cut: at most at `max`, or at the first clause after it; undefined when the text need not be cut. */
const cutIn = (text: string, max: number, { language, limits }: CutOptions): number | undefined => {
  const { minLength, maxLength } = limits
  const lengthUntil = (end: number) => text.slice(0, end).trim().length
  const leavesParts = (end: number) =>
    lengthUntil(end) >= minLength && lengthUntil(end) <= maxLength && text.slice(end).trim().length >= minLength
  const clauses = [...text.matchAll(clauseEnds)].map(({ 0: mark, index }) => index + mark.length).filter(leavesParts)
  const fits = (end: number) => lengthUntil(end) <= max
  const found = clauses.findLast(fits) ?? phraseStarts(text, language).filter(leavesParts).findLast(fits) ?? clauses[0]
  if (found !== undefined || text.trim().length <= maxLength) return found
  const limit = max + /^\s*/.exec(text)![0].length
  return createForcedCuts(primaryOf(language)).atLimit({ text, start: 0, limit })
}
