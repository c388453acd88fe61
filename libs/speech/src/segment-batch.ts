import { maxSegmentLength } from './segment-cutter.js'
import type { Segment } from './segmenter.js'

/** Text that is asked for at once: one segment, or several that waited together. */
export interface SegmentBatch extends Segment {
  /** Where one segment ends and the next begins: places in the text, in UTF-16 units, each beyond the one before. */
  readonly cuts: readonly number[]
}

/** A batch that has so much takes in no further segment: what is asked for at once is reserved for at once. */
export const maxBatchLength = 4 * maxSegmentLength

/** The offsets at which segments that are joined end, but for the last. */
export const cutsBetween = (segments: readonly string[]): number[] => {
  let end = 0
  return segments.slice(0, -1).map((segment) => {
    end += segment.length
    return end
  })
}

/** The segments of a text with these cuts. */
export const cutText = (text: string, cuts: readonly number[]): string[] =>
  [0, ...cuts].map((start, index) => text.slice(start, cuts[index]))
