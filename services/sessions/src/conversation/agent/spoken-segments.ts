import { createSegmenter, createSegmentQueue, type Segment, type SegmentBatch } from '@parlance/speech'

/** Segments of a text that is still being written, for one reader. */
export interface SpokenSegments extends AsyncIterable<SegmentBatch> {
  add(text: string): void
  /** No more text may arrive for some time: the text so far is segmented as if it ended here. */
  flush(): void
  /** The text is complete. */
  end(): void
  /** The reader has stopped. */
  close(): void
}

export interface SpokenSegmentsOptions {
  /** A BCP 47 tag; null is taken for English. */
  readonly language: string | null
  /** A segment is complete, and will be read. */
  onSegment(segment: Segment): void
}

/** How long the first words may wait for the end of their clause, in ms. */
const maxDelayMs = 300

export const createSpokenSegments = ({ language, onSegment }: SpokenSegmentsOptions): SpokenSegments => {
  const segmenter = createSegmenter({ language, mode: 'auto', maxDelayMs })
  const queue = createSegmentQueue({ joins: false, batchLength: 0 })
  let ended = false
  let timer: NodeJS.Timeout | undefined

  const put = (segments: readonly Segment[]): void => {
    segments.forEach(onSegment)
    queue.push(segments)
    clearTimeout(timer)
    const { dueMs } = segmenter
    if (ended || dueMs === undefined) return
    timer = setTimeout(() => put(segmenter.pass(performance.now())), Math.max(0, dueMs - performance.now()) + 1)
  }

  const close = (): void => {
    ended = true
    clearTimeout(timer)
    queue.end()
  }

  return {
    add(text) {
      if (!ended) put(segmenter.add(text, performance.now()))
    },
    flush() {
      if (!ended) put(segmenter.flush())
    },
    end() {
      if (ended) return
      ended = true
      put(segmenter.end())
      queue.end()
    },
    close,
    [Symbol.asyncIterator]: () => queue[Symbol.asyncIterator](),
  }
}
