/**
 * Cuts a growing text into segments.
 *
 * - Joined, the segments and the rest are the text that was added.
 * - `next` returns the same segments however the text was divided: it cuts only where no later text could change the
 *   place of the cut.
 * - A character is looked at a bounded number of times, so the work grows with the length of the text and no faster.
 */
import { type Cut, createBoundaries, isHighSurrogate, type Span } from './boundary.js'
import { createForcedCuts } from './forced-cut.js'
import { isSpeakable } from './speakable.js'

/** Longest segment, in UTF-16 units: some twenty seconds of speech. */
export const maxSegmentLength = 300

/** Text that stands for a pause: white space, and not a digit, follows the mark. */
const pause = ' x'
/** Text before a mark that may continue after it at any time: a number or an address. */
const unfinishedNumber = /\d[.,:]$/
const unfinishedAddress = /(?:^|\s)\S*(?::\/\/|@|www\.|[\p{L}\p{N}]\.[\p{L}\p{N}])\S*$/u

export const createSegmentCutter = (language: string | null) => {
  const primary = (language ?? 'en').toLowerCase().split('-')[0]!
  const boundaries = createBoundaries(primary)
  const forced = createForcedCuts(primary)
  let text = ''
  let start = 0
  /** Everything before this offset has been examined and contains no end. */
  let at = 0
  let spoken = false

  const cut = (end: number): string => {
    const segment = text.slice(start, end)
    start = end
    at = end
    spoken = false
    return segment
  }

  const endAt = (span: Span, position: number, clauseAfter: number): Cut =>
    boundaries.sentenceEnd(span, position) ??
    (position - span.start >= clauseAfter ? boundaries.clauseEnd(span, position) : undefined)

  /** A clause end is the better place, unless it leaves a very short segment. */
  const cutAtLimit = (limit: number): string => {
    const span = { text, start, limit }
    for (let position = limit - 1; position >= start + maxSegmentLength / 3; position--) {
      const end = boundaries.clauseEnd(span, position)
      if (typeof end === 'number' && isSpeakable(text.slice(start, end))) return cut(end)
    }
    return cut(forced.atLimit(span))
  }

  return {
    add(more: string): void {
      text = text.slice(start) + more
      at -= start
      start = 0
    },

    /** The next certain segment: a sentence, a clause after `clauseAfter` characters, or a segment of the maximum length. */
    next(clauseAfter: number): string | undefined {
      const limit = start + maxSegmentLength
      const span = { text, start, limit }
      for (; at < text.length && at <= limit; at++) {
        if (isHighSurrogate(text, at) && at + 1 === text.length) return undefined
        spoken ||= isSpeakable(String.fromCodePoint(text.codePointAt(at)!))
        const end = spoken ? endAt(span, at, clauseAfter) : undefined
        if (end === 'unknown') return undefined
        if (end !== undefined) return cut(end)
      }
      return text.length > limit ? cutAtLimit(limit) : undefined
    },

    /** The text up to a mark that counts as an end because no text has followed it for some time. */
    nextAtPause(clauseAfter: number): string | undefined {
      if (!spoken || at >= text.length) return undefined
      const before = text.slice(start, at + 1)
      if (unfinishedNumber.test(before) || unfinishedAddress.test(before)) return undefined
      const end = endAt({ text: text + pause, start, limit: start + maxSegmentLength }, at, clauseAfter)
      return typeof end === 'number' && end <= text.length ? cut(end) : undefined
    },

    /** The complete words so far; undefined where they have fewer characters. */
    nextWords(minCharacters: number): string | undefined {
      const end = forced.betweenWords({ text, start, limit: Math.min(text.length, start + maxSegmentLength) })
      return end === undefined || end - start < minCharacters ? undefined : cut(end)
    },

    /**
     * The rest of the text, once `next` returns no more; may be empty. The first half of a surrogate pair at the end is kept
     * when `more` text may follow.
     */
    rest(more: boolean): string {
      const half = more && isHighSurrogate(text, text.length - 1)
      return cut(Math.min(text.length - (half ? 1 : 0), start + maxSegmentLength))
    },

    /** Whether the rest contains anything speakable. */
    speakable: (): boolean => isSpeakable(text.slice(start)),
  }
}
