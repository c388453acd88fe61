/**
 * Where to cut when no sentence end is near: between two words if possible, inside a number or an abbreviation written with
 * spaces only if there is no other place, and inside a character only when the character itself is too long.
 */
import type { DotMeaning } from './abbreviation.js'
import { createDots } from './abbreviation.js'
import { isHighSurrogate, isSpace, type Span } from './boundary.js'
import { isSpeakable } from './speakable.js'

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const words = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Scripts that write no spaces between words. */
const withoutSpaces =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** The characters of numbers, words, addresses and URLs. */
const tokenCharacter = /^[\p{L}\p{M}\p{N}!-~]/u
/** White space that does not separate words. */
const noBreakSpace = /^[\u00a0\u2007\u202f\ufeff]$/

/** Finds where a text without a sentence end can be cut. `language` is the primary subtag, such as `de`. */
export const createForcedCuts = (language: string) => {
  const dots = createDots(language)

  /** Whether the white space at `at` is within a number or after an abbreviation. */
  const holdsTogether = (text: string, at: number, start: number): boolean => {
    const next = /\S/.exec(text.slice(at, at + 8))?.[0]
    const previous = text[at - 1]!
    if (/\d/.test(previous)) return next === undefined || /\d/.test(next)
    if (previous !== '.') return false
    const meaning: DotMeaning = dots.meaning(text, at - 1, start)
    return meaning === 'abbreviation' || (meaning !== 'sentence' && (next === undefined || /\d/.test(next)))
  }

  /** The offsets at which white space begins after speakable text, the last first. */
  function* spaces({ text, start, limit }: Span): Generator<number> {
    const first = start + Math.max(0, text.slice(start, limit).search(/\S/))
    for (let at = Math.min(limit, text.length - 1); at > first; at--) {
      if (!isSpace(text[at]!) || isSpace(text[at - 1]!) || noBreakSpace.test(text[at]!)) continue
      yield at
    }
  }

  /** The place between two words of a script without spaces. */
  const unspaced = ({ text, start, limit }: Span): number | undefined => {
    const window = text.slice(start, Math.min(text.length, limit + 2))
    if (!withoutSpaces.test(window)) return undefined
    const characters = graphemes.segment(window)
    let found: number | undefined
    for (const { index } of words.segment(window)) {
      if (index === 0 || start + index > limit || characters.containing(index)?.index !== index) continue
      const before = String.fromCodePoint(window.codePointAt(characters.containing(index - 1)!.index)!)
      const after = String.fromCodePoint(window.codePointAt(index)!)
      if (withoutSpaces.test(before) && withoutSpaces.test(after)) found = start + index
    }
    return found
  }

  const betweenWords = (span: Span): number | undefined => {
    const { text, start } = span
    let spaced: number | undefined
    for (const at of spaces(span)) {
      if (holdsTogether(text, at, start)) continue
      spaced = at
      break
    }
    if (spaced !== undefined && !isSpeakable(text.slice(start, spaced))) spaced = undefined
    return later(spaced, unspaced(span))
  }

  /** The last place between two characters that is not within a word or number, otherwise the last one. */
  const betweenCharacters = ({ text, start, limit }: Span): number => {
    const window = text.slice(start, limit + 2)
    let last = 0
    let soft = 0
    let previous = ''
    for (const { index, segment } of graphemes.segment(window)) {
      if (start + index > limit) break
      last = index
      if (!tokenCharacter.test(previous) || !tokenCharacter.test(segment)) soft = index
      previous = segment
    }
    if (soft > 0 && isSpeakable(window.slice(0, soft))) return start + soft
    if (last > 0) return start + last
    return isHighSurrogate(text, limit - 1) ? limit - 1 : limit
  }

  return {
    /** The last place between two words of the text so far; undefined while no such place has speakable text before it. */
    betweenWords,
    /** A place at an offset of at most `limit`, for any text that is longer. */
    atLimit(span: Span): number {
      const { text, start } = span
      const between = betweenWords(span)
      if (between !== undefined) return between
      for (const at of spaces(span)) if (isSpeakable(text.slice(start, at))) return at
      return betweenCharacters(span)
    },
  }
}

const later = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.max(a, b)
