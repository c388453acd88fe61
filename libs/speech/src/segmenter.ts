import { isHighSurrogate } from './boundary.js'
import { createSegmentCutter, maxSegmentLength } from './segment-cutter.js'
import { sentencesOf } from './sentences/sentences-of.js'
import { isSpeakable } from './speakable.js'

/**
 * Cuts a complete text into segments that are spoken one after the other: whole sentences, joined while they are
 * short, because a voice sounds best over a few of them. Joined, the segments are the text, verbatim. A rest without speakable
 * text is added to the last segment while there is room.
 */
export const segmentText = (text: string, language: string | null): string[] => {
  const segments: string[] = []
  let packed = ''
  for (const sentence of sentencesOf(text, language)) {
    if (packed !== '' && packed.length + sentence.length > maxSegmentLength) {
      segments.push(packed)
      packed = ''
    }
    packed += sentence
  }
  if (packed !== '') segments.push(packed)
  return segments
}

export interface Segment {
  readonly text: string
  /** False for white space or punctuation alone at the end of the text. */
  readonly speakable: boolean
}

export interface SegmenterOptions {
  /** A BCP 47 tag; null for English. */
  readonly language: string | null
  /** With `none` each added text is a segment. */
  readonly mode: 'auto' | 'none'
  /** How long to wait for the end of the first segment, and for the text after a mark. */
  readonly maxDelayMs: number
  /** The same for a first segment that has 20 characters or a mark. Default `maxDelayMs`. */
  readonly firstDelayMs?: number
}

/**
 * Cuts text that arrives in parts into segments that are spoken one after the other.
 *
 * - Joined, the segments are the text, verbatim. White space belongs to the text after it; only `end` can return a segment
 *   without speakable text, whose `speakable` is false.
 * - The first segment ends with its sentence, with a clause after 20 characters, between words after `firstDelayMs` and 20
 *   characters, or between words after `maxDelayMs`; every later one with its sentence. None is longer than `maxSegmentLength`.
 * - While no time passes, the segments do not depend on how the text was divided.
 * - It has no clock: every call receives the time, in ms from any origin. `dueMs` is the time at which to call `pass`.
 */
export interface Segmenter {
  add(text: string, nowMs: number): Segment[]
  /** Time has passed without new text. */
  pass(nowMs: number): Segment[]
  /** Returns the text so far as if it ended here. Text without anything speakable waits for the text after it. */
  flush(): Segment[]
  /** The text is complete. Nothing may be added after this. */
  end(): Segment[]
  /** When to call `pass` if no text arrives before; undefined when time alone changes nothing. */
  readonly dueMs: number | undefined
}

/** A shorter clause is no first segment unless it has to be, since it would end before the next segment has audio. */
const shortestFirstClause = 20

/** A segmenter for one text in one language. */
export const createSegmenter = (options: SegmenterOptions): Segmenter =>
  options.mode === 'none' ? createVerbatimSegmenter() : createSentenceSegmenter(options)

const createSentenceSegmenter = ({ language, maxDelayMs, firstDelayMs = maxDelayMs }: SegmenterOptions): Segmenter => {
  const cutter = createSegmentCutter(language)
  let first = true
  /** When there was speakable text first, and when text arrived last. */
  let begunMs: number | undefined
  let lastMs = 0
  /** The latest time passed to `pass` since text arrived last. */
  let passedMs = Number.NEGATIVE_INFINITY

  /** How long to wait for the text after a mark. */
  const markDelayMs = () => (first ? firstDelayMs : maxDelayMs)
  const clauseAfter = () => (first ? shortestFirstClause : Number.POSITIVE_INFINITY)

  const take = (text: string): Segment => {
    const speakable = isSpeakable(text)
    if (speakable) first = false
    return { text, speakable }
  }

  const certain = (): Segment[] => {
    const segments: Segment[] = []
    for (let text = cutter.next(clauseAfter()); text !== undefined; text = cutter.next(clauseAfter())) {
      segments.push(take(text))
    }
    return segments
  }

  const rest = (more: boolean): Segment[] => {
    const segments: Segment[] = []
    for (let text = cutter.rest(more); text !== ''; text = cutter.rest(more)) segments.push(take(text))
    return segments
  }

  const overdueWords = (nowMs: number): Segment[] => {
    if (!first || begunMs === undefined || nowMs < begunMs + firstDelayMs) return []
    const words = cutter.nextWords(nowMs < begunMs + maxDelayMs ? shortestFirstClause : 0)
    return words === undefined ? [] : [take(words)]
  }

  return {
    add(text, nowMs) {
      if (text === '') return []
      cutter.add(text)
      lastMs = nowMs
      passedMs = Number.NEGATIVE_INFINITY
      const segments = certain()
      if (first && begunMs === undefined && cutter.speakable()) begunMs = nowMs
      return [...segments, ...overdueWords(nowMs), ...certain()]
    },

    pass(nowMs) {
      passedMs = nowMs
      if (nowMs >= lastMs + markDelayMs()) {
        const paused = cutter.nextAtPause(clauseAfter())
        if (paused !== undefined) return [take(paused)]
      }
      return [...overdueWords(nowMs), ...certain()]
    },

    flush: () => (cutter.speakable() ? rest(true) : []),

    end: () => rest(false),

    get dueMs() {
      if (!cutter.speakable()) return undefined
      const dues = [lastMs + markDelayMs()]
      if (first && begunMs !== undefined) dues.push(begunMs + firstDelayMs, begunMs + maxDelayMs)
      const ahead = dues.filter((dueMs) => dueMs > passedMs)
      return ahead.length === 0 ? undefined : Math.min(...ahead)
    },
  }
}

/** Every text is a segment. Text without anything speakable, and half of a surrogate pair, are added to the next one. */
const createVerbatimSegmenter = (): Segmenter => {
  let kept = ''
  let speakable = false

  const take = (end: number): Segment[] => {
    if (end === 0) return []
    const segment = { text: kept.slice(0, end), speakable }
    kept = kept.slice(end)
    speakable = false
    return [segment]
  }

  return {
    add(text) {
      const before = endsInHalf(kept) ? kept.slice(-1) : ''
      speakable ||= isSpeakable(before + text)
      kept += text
      return speakable ? take(kept.length - (endsInHalf(kept) ? 1 : 0)) : []
    },
    pass: () => [],
    flush: () => [],
    end: () => take(kept.length),
    dueMs: undefined,
  }
}

const endsInHalf = (text: string): boolean => isHighSurrogate(text, text.length - 1)
