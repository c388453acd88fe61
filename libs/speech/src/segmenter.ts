import { isHighSurrogate } from './boundary.js'
import { createSegmentCutter, maxSegmentLength } from './segment-cutter.js'
import { sentencesOf } from './sentences/sentences-of.js'
import { isSpeakable } from './speakable.js'

/**
 * Cuts a whole text into segments that are spoken one after the other: whole sentences, packed together while they are
 * short, because a voice sounds best over a few of them. Joined, the segments are the text, verbatim; what is left at its
 * end with nothing to say stays with the last while there is room.
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
  /** False when there is nothing to say in it: white space or lone punctuation that was left at the end. */
  readonly speakable: boolean
}

export interface SegmenterOptions {
  /** A BCP 47 tag; null is taken for English. */
  readonly language: string | null
  /** `none` makes each text a segment, as given. */
  readonly mode: 'auto' | 'none'
  /** How long the first segment may wait for its end, and a mark for what follows it. */
  readonly maxDelayMs: number
}

/**
 * Cuts text that comes in pieces into segments to be spoken one after the other.
 *
 * - Joined, the segments are the text, verbatim. White space goes with what follows it; only `end` can leave a segment
 *   with nothing to say, whose `speakable` is false.
 * - The first segment ends with its sentence, with a clause after 20 characters, or between words after `maxDelayMs`;
 *   every later one with its sentence. None is longer than `maxSegmentLength`.
 * - While no time passes, the segments do not depend on how the text was parted.
 * - It has no clock: every call is given the time, in ms from any origin. `dueMs` is when `pass` is worth a call.
 */
export interface Segmenter {
  add(text: string, nowMs: number): Segment[]
  /** Time has passed and nothing came. */
  pass(nowMs: number): Segment[]
  /** Speaks what has come as if the text ended here. What holds nothing to say waits for what follows. */
  flush(): Segment[]
  /** The text is complete. Nothing may be added after this. */
  end(): Segment[]
  /** When to call `pass`, should nothing come until then; undefined when time alone changes nothing. */
  readonly dueMs: number | undefined
}

/** A clause of fewer characters is no first segment: it would be over before the next one has sound. */
const shortestFirstClause = 20

/** A segmenter for one text in one language. */
export const createSegmenter = (options: SegmenterOptions): Segmenter =>
  options.mode === 'none' ? createVerbatimSegmenter() : createSentenceSegmenter(options)

const createSentenceSegmenter = ({ language, maxDelayMs }: SegmenterOptions): Segmenter => {
  const cutter = createSegmentCutter(language)
  let first = true
  /** When there was first something to say, and when text came last. */
  let begunMs: number | undefined
  let lastMs = 0
  /** The latest time that `pass` was given since text came last. */
  let passedMs = Number.NEGATIVE_INFINITY

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
    if (!first || begunMs === undefined || nowMs < begunMs + maxDelayMs) return []
    const words = cutter.nextWords()
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
      if (nowMs >= lastMs + maxDelayMs) {
        const paused = cutter.nextAtPause(clauseAfter())
        if (paused !== undefined) return [take(paused)]
      }
      return [...overdueWords(nowMs), ...certain()]
    },

    flush: () => (cutter.speakable() ? rest(true) : []),

    end: () => rest(false),

    get dueMs() {
      if (!cutter.speakable()) return undefined
      const dues = [lastMs + maxDelayMs]
      if (first && begunMs !== undefined) dues.push(begunMs + maxDelayMs)
      const ahead = dues.filter((dueMs) => dueMs > passedMs)
      return ahead.length === 0 ? undefined : Math.min(...ahead)
    },
  }
}

/** Every text is a segment, but for one with nothing to say, and half of a surrogate pair: they go with the next. */
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
