import { createSegmentQueue, type SegmentBatch, type SegmentQueueOptions } from './segment-queue.js'
import { createSegmenter, type Segment, type SegmenterOptions } from './segmenter.js'

/** The text of a speech that is still being written, in batches of segments for one reader. */
export interface SpeechText extends AsyncIterable<SegmentBatch> {
  /** Appends text. Ignored after the end, as is `flush`. */
  add(text: string): void
  /** No more text may arrive for some time: the text so far is segmented as if it ended here. */
  flush(): void
  /** The text is complete. */
  end(): void
  /** The reader has stopped. Returns the segments that it has not read. */
  close(): Segment[]
}

interface SpeechTextOptions extends SegmenterOptions, SegmentQueueOptions {
  /** Text that is not continued for so long is flushed, in ms. Default: never. */
  readonly autoFlushMs?: number
  /** A segment is complete, and will be read. */
  onSegment(segment: Segment): void
}

export const createSpeechText = (options: SpeechTextOptions): SpeechText => {
  const { autoFlushMs = Number.POSITIVE_INFINITY, onSegment } = options
  const segmenter = createSegmenter(options)
  const queue = createSegmentQueue(options)
  let isOpen = true
  let flushAtMs = Number.POSITIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  const put = (segments: readonly Segment[]): void => {
    segments.forEach(onSegment)
    queue.push(segments)
    clearTimeout(timer)
    const dueMs = Math.min(segmenter.dueMs ?? Number.POSITIVE_INFINITY, flushAtMs)
    if (isOpen && dueMs < Number.POSITIVE_INFINITY) {
      timer = setTimeout(pass, Math.max(0, dueMs - performance.now()) + 1)
    }
  }
  const pass = (): void => {
    const nowMs = performance.now()
    if (nowMs < flushAtMs) put(segmenter.pass(nowMs))
    else flush()
  }
  const flush = (): void => {
    flushAtMs = Number.POSITIVE_INFINITY
    put(segmenter.flush())
  }

  return {
    add(text) {
      if (!isOpen) return
      const nowMs = performance.now()
      flushAtMs = nowMs + autoFlushMs
      put(segmenter.add(text, nowMs))
    },
    flush() {
      if (!isOpen) return
      flush()
      queue.part()
    },
    end() {
      if (!isOpen) return
      isOpen = false
      put(segmenter.end())
      queue.end()
    },
    close() {
      const unfinished = isOpen ? segmenter.end() : []
      isOpen = false
      clearTimeout(timer)
      queue.end()
      return [...queue.left(), ...unfinished]
    },
    [Symbol.asyncIterator]: () => queue[Symbol.asyncIterator](),
  }
}
