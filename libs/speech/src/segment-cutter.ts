/**
 * Cuts a growing text into segments.
 *
 * - Joined, what was cut and what is left are what was added.
 * - `next` gives the same segments however the text was parted: it cuts only where nothing that may still come could
 *   change the place.
 * - A character is looked at a bounded number of times, so the work grows with the length of the text and no faster.
 */
import { type Cut, createBoundaries, isHighSurrogate, type Span } from './boundary.js'
import { createForcedCuts } from './forced-cut.js'
import { isSpeakable } from './speakable.js'

/** Longest segment, in UTF-16 units: some twenty seconds of speech. */
export const maxSegmentLength = 300

export interface SegmentCutter {
  add(text: string): void
  /** The next segment that is certain: a sentence, or after `clauseAfter` characters a clause, or all that may be in one. */
  next(clauseAfter: number): string | undefined
  /** What a pause after the last text shows to be an end: a mark that nothing came after. */
  nextAtPause(clauseAfter: number): string | undefined
  /** What has come of whole words. */
  nextWords(): string | undefined
  /**
   * What is left, once `next` has no more: empty when nothing is. The first half of a surrogate pair at the end stays
   * where `more` may come, and so may its second half.
   */
  rest(more: boolean): string
  /** Whether there is something to say in what is left. */
  speakable(): boolean
}

/** Stands for a pause: white space after the mark, and no number. */
const pause = ' x'
/** What is before a mark and may go on after it, however long nothing comes: a number, or an address. */
const unfinishedNumber = /\d[.,:]$/
const unfinishedAddress = /(?:^|\s)\S*(?::\/\/|@|www\.|[\p{L}\p{N}]\.[\p{L}\p{N}])\S*$/u

export const createSegmentCutter = (language: string | null): SegmentCutter => {
  const primary = (language ?? 'en').toLowerCase().split('-')[0]!
  const boundaries = createBoundaries(primary)
  const forced = createForcedCuts(primary)
  let text = ''
  let start = 0
  /** All before it has been looked at, and is no end. */
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

  /** A clause is the better place, unless it leaves a stub. */
  const cutAtLimit = (limit: number): string => {
    const span = { text, start, limit }
    for (let position = limit - 1; position >= start + maxSegmentLength / 3; position--) {
      const end = boundaries.clauseEnd(span, position)
      if (typeof end === 'number' && isSpeakable(text.slice(start, end))) return cut(end)
    }
    return cut(forced.atLimit(span))
  }

  return {
    add(more) {
      text = text.slice(start) + more
      at -= start
      start = 0
    },

    next(clauseAfter) {
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

    nextAtPause(clauseAfter) {
      if (!spoken || at >= text.length) return undefined
      const before = text.slice(start, at + 1)
      if (unfinishedNumber.test(before) || unfinishedAddress.test(before)) return undefined
      const end = endAt({ text: text + pause, start, limit: start + maxSegmentLength }, at, clauseAfter)
      return typeof end === 'number' && end <= text.length ? cut(end) : undefined
    },

    nextWords() {
      const end = forced.betweenWords({ text, start, limit: Math.min(text.length, start + maxSegmentLength) })
      return end === undefined ? undefined : cut(end)
    },

    rest(more) {
      const half = more && isHighSurrogate(text, text.length - 1)
      return cut(Math.min(text.length - (half ? 1 : 0), start + maxSegmentLength))
    },

    speakable: () => isSpeakable(text.slice(start)),
  }
}
