import { maxSegmentLength } from './segment-cutter.js'
import type { Segment } from './segmenter.js'

/** Text of one request: one segment, or several that waited together. */
export interface SegmentBatch extends Segment {
  /** The boundaries between segments: ascending offsets in the text, in UTF-16 units. */
  readonly cuts: readonly number[]
}

/** A batch of this length accepts no further segment, since credit for a whole request is reserved at once. */
export const maxBatchLength = 4 * maxSegmentLength

/** The offsets at which joined segments end, except the last. */
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
