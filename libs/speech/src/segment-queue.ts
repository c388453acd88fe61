/**
 * Segments that wait to be spoken.
 *
 * - Waiting segments are joined, because a voice sounds best over a few sentences. The first segment never waits for others.
 *   No segment is longer than twice the text before it, so that the audio before it lasts while it is produced, or
 *   longer than `maxSegmentLength`.
 * - Waiting segments are returned together as one batch, because a request for a batch costs as much as one for a segment. A
 *   segment without speakable text is a separate batch.
 * - A blank line at the start of a waiting segment is returned with the segment before it, so that the engine makes the
 *   pause of a paragraph.
 * - Joined, the returned segments and the rest are the input, verbatim and in order.
 */
import { maxSegmentLength } from './segment-cutter.js'
import type { Segment } from './segmenter.js'
import { leadingBlankLine } from './sentences/sentences-of.js'

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

/** Segments that wait to be spoken, read as batches. */
export interface SegmentQueue extends AsyncIterable<SegmentBatch> {
  push(segments: readonly Segment[]): void
  /** Later segments are not joined with earlier ones. */
  part(): void
  /** No more segments will be added. */
  end(): void
  /** The text that has not been returned yet. */
  left(): Segment[]
}

export interface SegmentQueueOptions {
  /** Whether segments may be joined. */
  readonly joins: boolean
  /** A batch of this many UTF-16 units accepts no further segment; with 0 each segment is a batch. */
  readonly batchLength: number
}

/** An empty queue. Its iterator may be read once. */
export const createSegmentQueue = ({ joins, batchLength }: SegmentQueueOptions): SegmentQueue => {
  /** Segments that may be joined are in one group. */
  const groups: Segment[][] = [[]]
  let returnedLength = 0
  let ended = false
  let wake = () => {}

  const firstGroup = (): Segment[] => {
    while (groups.length > 1 && groups[0]!.length === 0) groups.shift()
    return groups[0]!
  }

  const takeSegment = (): Segment | undefined => {
    const group = firstGroup()
    const first = group.shift()
    if (first === undefined) return undefined
    const maxLength = joins ? Math.min(maxSegmentLength, 2 * returnedLength) : 0
    let { text, speakable } = first
    while (group[0] !== undefined && text.length + group[0].text.length <= maxLength) {
      const next = group.shift()!
      text += next.text
      speakable ||= next.speakable
    }
    const next = group[0]
    const space = next?.speakable ? leadingBlankLine(next.text) : ''
    if (space !== '') {
      group[0] = { text: next!.text.slice(space.length), speakable: true }
      text += space
    }
    returnedLength += text.length
    return { text, speakable }
  }

  const take = (): SegmentBatch | undefined => {
    const first = takeSegment()
    if (first === undefined) return undefined
    const cuts: number[] = []
    let { text } = first
    while (first.speakable && text.length < batchLength && firstGroup()[0]?.speakable) {
      cuts.push(text.length)
      text += takeSegment()!.text
    }
    return { text, speakable: first.speakable, cuts }
  }

  return {
    push(segments) {
      groups.at(-1)!.push(...segments)
      wake()
    },
    part() {
      if (groups.at(-1)!.length > 0) groups.push([])
    },
    end() {
      ended = true
      wake()
    },
    left: () => groups.flat(),

    async *[Symbol.asyncIterator]() {
      for (;;) {
        const batch = take()
        if (batch !== undefined) yield batch
        else if (ended) return
        else
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      }
    },
  }
}
