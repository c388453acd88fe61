/**
 * Decides for one offset at a time whether a text may be cut there. The result depends only on the text from `start` to
 * `limit`. It does not depend on how much of the text has arrived: what a later character could change is `unknown` until
 * that character is there. An ASCII mark is an end only before white space, so that `3.14`, `12:30` and `https://a.b/?c`
 * stay whole.
 *
 * A cut is made before white space: the end is then known one character earlier, and no accent or joiner can follow that
 * belongs to the text before. Only a blank line stays with the text before it: the pause after a paragraph is longer, and
 * an engine makes it only when it receives the line.
 */
import { createDots } from './abbreviation.js'

/** An offset at which to cut; `unknown` when that depends on text that has not arrived; undefined for no cut. */
export type Cut = number | 'unknown' | undefined

export interface Span {
  readonly text: string
  /** The offset at which the segment begins. */
  readonly start: number
  /** The furthest offset at which it may end. */
  readonly limit: number
}

const narrowEnds = '.!?…؟۔।॥'
/** These end a sentence whether or not white space follows. */
const wideEnds = '。！？｡．'
const narrowClauses = ',;:،؛–'
const wideClauses = '，、；：—'
const closers = `"'”’»›)]}）】」』》〉〕］｝｣*_~\``

/** Languages whose quotations open with „ and close with “, or run »so«. */
const withLowQuotes = new Set(['de', 'da', 'cs', 'sk', 'sl', 'hr', 'sr', 'bg', 'mk', 'et', 'lt', 'lv', 'is'])
/** Languages that put a space before a closing ». */
const withSpacedQuotes = new Set(['fr'])

const digit = /^\d$/
const digits = /^[\d０-９]$/
const space = /^\s$/
const ideograph = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u

export const isSpace = (character: string): boolean => space.test(character)
export const isHighSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xd800

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Whether the code point at `at` is a part of the character before it, such as an accent. */
const joins = (text: string, at: number): boolean => {
  const pair = text.slice(at - 1, at + (isHighSurrogate(text, at) ? 2 : 1))
  const [first] = graphemes.segment(pair)
  return first?.segment.length !== 1
}

/** `language` is the primary subtag, such as `de`. */
export const createBoundaries = (language: string) => {
  const dots = createDots(language)
  const closing = withLowQuotes.has(language) ? `${closers}“‘«‹` : closers
  const spacedQuotes = withSpacedQuotes.has(language)

  /** The offset after the end marks and closing marks from `at` on. */
  const afterMarks = ({ text, limit }: Span, at: number, marks: string): number => {
    let end = at
    while (end < text.length && end <= limit && (marks.includes(text[end]!) || closing.includes(text[end]!))) end += 1
    return end
  }

  /** The offset after the given number of line breaks in the white space that begins at `at`. */
  const afterLines = ({ text, limit }: Span, at: number, linesWanted: 1 | 2): Cut => {
    let lines = 0
    for (let i = at; i < limit; i++) {
      if (i === text.length) return 'unknown'
      if (text[i] === '\n' || text[i] === '\u2029') lines += 1
      else if (!isSpace(text[i]!)) return undefined
      if (lines === linesWanted) return i + 1
    }
    return undefined
  }

  /** A blank line ends a sentence, a line break a clause. This is decided at the first character of the white space. */
  const lineEnd = (span: Span, at: number, linesWanted: 1 | 2): Cut => {
    if (at > span.start && isSpace(span.text[at - 1]!)) return undefined
    const end = afterLines(span, at, linesWanted)
    return typeof end === 'number' && linesWanted === 1 ? at : end
  }

  /** The end of a sentence at `end`, or of the paragraph that ends with it. Only a line break can leave this `unknown`. */
  const paragraphEnd = (span: Span, end: number): Cut =>
    /[\r\n\u2029]/.test(span.text[end]!) ? (afterLines(span, end, 2) ?? end) : end

  /** In `Bonjour. »` the space does not separate the quotation from its mark. */
  const spacedQuote = ({ text, start, limit }: Span, end: number): Cut => {
    const before = text.slice(start, end)
    if (before.lastIndexOf('«') <= before.lastIndexOf('»')) return end
    if (end + 1 > limit) return end
    if (end + 1 === text.length) return 'unknown'
    if (text[end + 1] !== '»') return end
    return end + 2 <= limit ? end + 2 : undefined
  }

  const beforeNumber = ({ text, limit }: Span, end: number): boolean | 'unknown' => {
    for (let i = end; i <= limit; i++) {
      if (i === text.length) return 'unknown'
      if (!isSpace(text[i]!)) return digit.test(text[i]!)
    }
    return true
  }

  return {
    /** The end of the sentence whose first end mark is at `at`, including closing quotes and brackets. */
    sentenceEnd(span: Span, at: number): Cut {
      const { text, start, limit } = span
      const mark = text[at]!
      if (isSpace(mark)) return lineEnd(span, at, 2)
      const wide = wideEnds.includes(mark)
      if (!wide && !narrowEnds.includes(mark)) return undefined
      // The run of marks was decided at its first mark.
      if (at > start && (narrowEnds + wideEnds).includes(text[at - 1]!)) return undefined
      const end = afterMarks(span, at, narrowEnds + wideEnds)
      if (end > limit) return undefined
      if (end === text.length || (isHighSurrogate(text, end) && end + 1 === text.length)) return 'unknown'
      const next = text[end]!
      const run = text.slice(at, end)
      if ([...wideEnds].some((wideEnd) => run.includes(wideEnd))) {
        if (run === '．' && digits.test(next)) return undefined
        return joins(text, end) ? undefined : paragraphEnd(span, end)
      }
      const lone = mark === '.' && !narrowEnds.includes(run[1] ?? ' ')
      if (isSpace(next)) {
        const meaning = lone ? dots.meaning(text, at, start) : 'sentence'
        if (meaning === 'abbreviation') return undefined
        if (meaning === 'abbreviation before a number') {
          const numbered = beforeNumber(span, end)
          if (numbered !== false) return numbered === true ? undefined : 'unknown'
        }
        const quoteEnd = spacedQuotes ? spacedQuote(span, end) : end
        return quoteEnd === end ? paragraphEnd(span, end) : quoteEnd
      }
      return !lone && (next === '¡' || next === '¿' || ideograph.test(next)) ? end : undefined
    },

    /** The end of the clause whose mark is at `at`. */
    clauseEnd(span: Span, at: number): Cut {
      const { text, start, limit } = span
      const mark = text[at]!
      if (isSpace(mark)) return lineEnd(span, at, 1)
      const wide = wideClauses.includes(mark)
      if (!wide && !narrowClauses.includes(mark)) return undefined
      const end = afterMarks(span, at + 1, mark)
      if (end > limit) return undefined
      if (end === text.length || (isHighSurrogate(text, end) && end + 1 === text.length)) return 'unknown'
      if (isSpace(text[end]!)) return end
      if (!wide || joins(text, end)) return undefined
      return digits.test(text[end]!) && at > start && digits.test(text[at - 1]!) ? undefined : end
    },
  }
}
