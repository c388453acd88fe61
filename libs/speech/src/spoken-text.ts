/**
 * How much of a text its audio has reached at a given time.
 *
 * - `splitAtSpoken` rounds down: a word and the marks after it count as spoken once the end of the word was played.
 * - `countReached` rounds up: a word and the marks after it count once its audio has begun.
 * - When an engine reports no times of words that are in the text, the words of a segment share its duration in
 *   proportion to their lengths. The duration of a segment that is not complete is estimated from the pace of those before
 *   it.
 */
import type { TimedText } from '@parlance/contracts'
import { countCodePoints } from './code-points.js'
import { isSpeakable } from './speakable.js'

export interface SpokenSegment {
  readonly text: string
  /** On the audio's clock. `endMs` is undefined while the segment is not complete, `startMs` before it has begun. */
  readonly startMs: number | undefined
  readonly endMs: number | undefined
  /** The words in order, on the same clock, as far as they are known. */
  readonly words: readonly TimedText[]
}

export interface SpokenText {
  readonly spoken: string
  readonly remaining: string
}

interface TimedSegments {
  readonly segments: readonly SpokenSegment[]
  /** The requested pace of the voice; 1 is its own. Default 1. */
  readonly speed?: number
}

/** The text of the segments, split where the audio was after `playedMs`; joined, the two parts are the text. */
export const splitAtSpoken = ({
  segments,
  speed = 1,
  playedMs,
}: TimedSegments & { readonly playedMs: number }): SpokenText => {
  let spoken = ''
  let remaining = ''
  const pace = paceOf(segments, speed)
  for (const segment of segments) {
    const length = remaining === '' ? spokenLength(segment, playedMs, pace) : 0
    spoken += segment.text.slice(0, length)
    remaining += segment.text.slice(length)
  }
  return { spoken, remaining }
}

/**
 * The code points of the segments that the audio reaches until `deliveredMs`: all of each segment whose audio is complete
 * by then, and the text of the next up to the end of the word in which the audio ends. That is at least one code point
 * when it has any audio.
 */
export const countReached = ({
  segments,
  speed = 1,
  deliveredMs,
}: TimedSegments & { readonly deliveredMs: number }): number => {
  const pace = paceOf(segments, speed)
  let reached = 0
  for (const segment of segments) {
    const length = reachedLength(segment, deliveredMs, pace)
    reached += countCodePoints(segment.text.slice(0, length))
    if (length < segment.text.length) break
  }
  return reached
}

interface PlacedWord {
  /** Where a word ends in the text, and when. */
  readonly end: number
  readonly endMs: number
}

const spokenLength = (segment: SpokenSegment, playedMs: number, pace: number): number => {
  const { text, startMs, endMs } = segment
  if (startMs === undefined) return 0
  if (endMs !== undefined && endMs <= playedMs) return text.length
  const last = placedWords(segment, pace).findLast((word) => word.endMs <= playedMs)
  return last === undefined ? 0 : afterClosingMarks(text, last.end)
}

/** Audio beyond the last word whose end is known reaches the end of the text. */
const reachedLength = (segment: SpokenSegment, deliveredMs: number, pace: number): number => {
  const { text, startMs, endMs } = segment
  if (startMs === undefined) return 0
  if (endMs !== undefined && endMs <= deliveredMs) return text.length
  if (deliveredMs <= startMs) return 0
  const word = placedWords(segment, pace).find((word) => word.endMs >= deliveredMs)
  return word === undefined ? text.length : afterClosingMarks(text, word.end)
}

const placedWords = (segment: SpokenSegment, pace: number): PlacedWord[] => {
  const matched = matchedWords(segment)
  return matched.length > 0 ? matched : estimatedWords(segment, pace)
}

/** Marks after a word, such as a comma or a closing quote, but not an opening quote before the next. */
const afterClosingMarks = (text: string, end: number): number =>
  end + /^[^\s\p{L}\p{N}\p{Ps}\p{Pi}\p{S}¡¿]*/u.exec(text.slice(end))![0].length

const letter = /[\p{L}\p{N}]/u
const letters = /[\p{L}\p{N}]/gu

/** How many letters of the text an engine may leave out before a word that is found. */
const leastReach = 24

/**
 * The words that are found in the text, in order. An engine may report `twenty` for `20`: such a word has no
 * place, and the search must not skip to a `twenty` much later. So only as many letters may be skipped as the words that
 * were not found may have.
 */
const matchedWords = ({ text, words }: SpokenSegment): PlacedWord[] => {
  const lower = inLowerCase(text)
  const found: PlacedWord[] = []
  let from = 0
  let reach = leastReach
  for (const { text: word, end_ms: endMs } of words) {
    const at = placeOf(inLowerCase(word), lower, from)
    if (at === -1 || lettersIn(lower.slice(from, at)) > reach) {
      reach += 2 * word.length
      continue
    }
    from = at + word.length
    found.push({ end: from, endMs })
    reach = leastReach
  }
  return found
}

/** Where the word stands alone, otherwise where it occurs at all, as in scripts without spaces. */
const placeOf = (word: string, text: string, from: number): number => {
  if (word === '') return -1
  for (let at = text.indexOf(word, from); at !== -1; at = text.indexOf(word, at + 1)) {
    const before = text[at - 1] ?? ' '
    const after = text[at + word.length] ?? ' '
    if ((at === from || !letter.test(before)) && !letter.test(after)) return at
  }
  return text.indexOf(word, from)
}

/** A text whose length lower case would change is left unchanged, since offsets must stay valid. */
const inLowerCase = (text: string): string => {
  const lower = text.toLowerCase()
  return lower.length === text.length ? lower : text
}

const lettersIn = (text: string): number => text.match(letters)?.length ?? 0

const wordSegmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

const estimatedWords = ({ text, startMs, endMs }: SpokenSegment, pace: number): PlacedWord[] => {
  if (startMs === undefined) return []
  const durationMs = endMs === undefined ? pace * usualMs(text) : endMs - startMs
  const words: PlacedWord[] = []
  for (const { index, segment } of wordSegmenter.segment(text)) {
    const end = index + segment.length
    if (isSpeakable(segment)) words.push({ end, endMs: startMs + (durationMs * end) / text.length })
  }
  return words
}

/** A letter, and a character that stands for a syllable or a word. */
const usualLetterMs = 65
const usualSyllableMs = 200
const syllable = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu

const usualMs = (text: string): number => {
  const syllables = text.match(syllable)?.length ?? 0
  return (text.length - syllables) * usualLetterMs + syllables * usualSyllableMs
}

/** The duration of the complete segments relative to the usual one; derived from `speed` while no segment is complete. */
const paceOf = (segments: readonly SpokenSegment[], speed: number): number => {
  let tookMs = 0
  let usuallyMs = 0
  for (const { text, startMs, endMs } of segments) {
    if (startMs === undefined || endMs === undefined || endMs === startMs) continue
    tookMs += endMs - startMs
    usuallyMs += usualMs(text)
  }
  return usuallyMs === 0 ? 1 / speed : tookMs / usuallyMs
}
