import { ServiceError, type StreamStart, streamLimits } from '@parlance/contracts'
import {
  countCodePoints,
  createSegmenter,
  createSegmentQueue,
  maxBatchLength,
  type Segment,
  type SegmentBatch,
  type Segmenter,
  type SegmentQueue,
} from '@parlance/speech'
import { createTextAllowance, type TextAllowance } from './text-allowance.js'

export interface ContextTextOptions {
  readonly buffering: StreamStart['buffering']
  /** A BCP 47 tag: the text is segmented by the rules of this language. */
  readonly language: string
}

/**
 * The text of a context, from the client's messages to the batches of segments that are spoken.
 *
 * States:
 * - `open`: text may arrive. Buffered text is flushed when none arrives for some time.
 * - `ended`: the client has sent all of its text.
 * - `closed`: the context is over.
 */
export class ContextText {
  readonly #segmenter: Segmenter
  readonly #queue: SegmentQueue
  readonly #allowance: TextAllowance = createTextAllowance()
  #state: 'open' | 'ended' | 'closed' = 'open'
  #queuedCharacters = 0
  #firstQueuedMs: number | undefined
  #lastTextMs = 0
  #timer: NodeJS.Timeout | undefined

  constructor({ buffering, language }: ContextTextOptions) {
    this.#segmenter = createSegmenter({ language, mode: buffering.mode, maxDelayMs: buffering.max_delay_ms })
    this.#queue = createSegmentQueue({ joins: buffering.mode === 'auto', batchLength: maxBatchLength })
  }

  /** The batches to speak, in order; ends after the end of the text. */
  get batches(): AsyncIterable<SegmentBatch> {
    return this.#queue
  }

  /** Code points of the text in segments. */
  get queuedCharacters(): number {
    return this.#queuedCharacters
  }

  /** When there was first something to speak, on the clock of `performance`. */
  get firstQueuedMs(): number | undefined {
    return this.#firstQueuedMs
  }

  /** Throws `text_too_long`, and `invalid_request` for text that cannot be spoken or after the end; then nothing changes. */
  add(text: string, sentCharacters: number): void {
    this.#checkOpen()
    this.#allowance.take(text, sentCharacters)
    this.#lastTextMs = performance.now()
    this.#put(this.#segmenter.add(text, this.#lastTextMs))
    this.#watchTime()
  }

  /** Makes a segment of what waits for more text. Throws `invalid_request` after the end. */
  flush(): void {
    this.#checkOpen()
    this.#put(this.#segmenter.flush())
    this.#queue.part()
    this.#watchTime()
  }

  /** The text is complete. Throws `invalid_request` after the end. */
  end(): void {
    this.#checkOpen()
    this.#state = 'ended'
    clearTimeout(this.#timer)
    this.#put(this.#segmenter.end())
    this.#queue.end()
  }

  /** Stops the clock. Returns the segments that were not handed out. */
  close(): Segment[] {
    clearTimeout(this.#timer)
    const unfinished = this.#state === 'open' ? this.#segmenter.end() : []
    this.#state = 'closed'
    return [...this.#queue.left(), ...unfinished]
  }

  #checkOpen(): void {
    if (this.#state !== 'open') {
      throw new ServiceError('invalid_request', 'This context has been ended: start another.')
    }
  }

  #put(segments: readonly Segment[]): void {
    for (const { text, speakable } of segments) {
      this.#queuedCharacters += countCodePoints(text)
      if (speakable) this.#firstQueuedMs ??= performance.now()
    }
    this.#queue.push(segments)
  }

  /** Calls the segmenter when elapsed time may end a segment, and flushes text that the client does not continue. */
  #watchTime(): void {
    clearTimeout(this.#timer)
    if (this.#state !== 'open' || this.#allowance.taken() === this.#queuedCharacters) return
    const autoFlushMs = this.#lastTextMs + streamLimits.auto_flush_ms
    const dueMs = Math.min(this.#segmenter.dueMs ?? autoFlushMs, autoFlushMs)
    this.#timer = setTimeout(
      () => {
        const nowMs = performance.now()
        this.#put(nowMs >= autoFlushMs ? this.#segmenter.flush() : this.#segmenter.pass(nowMs))
        if (nowMs < autoFlushMs) this.#watchTime()
      },
      Math.max(0, dueMs - performance.now()) + 1,
    )
  }
}
