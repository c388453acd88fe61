import { holdsControlCharacters, ServiceError, type StreamStart, streamLimits } from '@parlance/contracts'
import {
  countCodePoints,
  createSpeechText,
  maxBatchLength,
  type Segment,
  type SegmentBatch,
  type SpeechText,
} from '@parlance/speech'

interface ContextTextOptions {
  readonly buffering: StreamStart['buffering']
  /** A BCP 47 tag: the text is segmented by the rules of this language. */
  readonly language: string
}

/** The text of a context, from the client's messages to the batches of segments that are spoken. */
export class ContextText {
  readonly #text: SpeechText
  #hasEnded = false
  #addedCharacters = 0
  #queuedCharacters = 0
  #firstQueuedMs: number | undefined

  constructor({ buffering, language }: ContextTextOptions) {
    this.#text = createSpeechText({
      language,
      mode: buffering.mode,
      maxDelayMs: buffering.max_delay_ms,
      autoFlushMs: streamLimits.auto_flush_ms,
      joins: buffering.mode === 'auto',
      batchLength: maxBatchLength,
      onSegment: (segment) => this.#queued(segment),
    })
  }

  /** The batches to speak, in order; ends after the end of the text. */
  get batches(): AsyncIterable<SegmentBatch> {
    return this.#text
  }

  /** Code points of the text in segments. */
  get queuedCharacters(): number {
    return this.#queuedCharacters
  }

  /** When there was speakable text first, on the clock of `performance`. */
  get firstQueuedMs(): number | undefined {
    return this.#firstQueuedMs
  }

  /**
   * Appends text, when `sentCharacters` of the text before it have been spoken. Throws `text_too_long`, and `invalid_request` for
   * text that cannot be spoken or after the end; then nothing changes.
   */
  add(text: string, sentCharacters: number): void {
    this.#checkOpen()
    if (holdsControlCharacters(text)) {
      throw new ServiceError(
        'invalid_request',
        'text: must not contain control characters other than tab and line breaks',
      )
    }
    const { text_characters: ofText, buffered_characters: ofBuffer, context_characters: ofContext } = streamLimits
    const characters = countCodePoints(text)
    const added = this.#addedCharacters + characters
    if (characters > ofText) throw tooLong(`${ofText} characters in one message.`)
    if (added > ofContext) throw tooLong(`${ofContext} characters in one context.`)
    if (added - sentCharacters > ofBuffer) {
      throw tooLong(`${ofBuffer} characters may wait to be spoken. Send more when these have been spoken.`)
    }
    this.#addedCharacters = added
    this.#text.add(text)
  }

  /** Makes a segment of the text that waits for more. Throws `invalid_request` after the end. */
  flush(): void {
    this.#checkOpen()
    this.#text.flush()
  }

  /** The text is complete. Throws `invalid_request` after the end. */
  end(): void {
    this.#checkOpen()
    this.#hasEnded = true
    this.#text.end()
  }

  /** The context is over. Returns the segments that were not handed out. */
  close(): Segment[] {
    return this.#text.close()
  }

  #checkOpen(): void {
    if (this.#hasEnded) {
      throw new ServiceError('invalid_request', 'This context has ended. Start another.')
    }
  }

  #queued({ text, speakable }: Segment): void {
    this.#queuedCharacters += countCodePoints(text)
    if (speakable) this.#firstQueuedMs ??= performance.now()
  }
}

const tooLong = (detail: string) => new ServiceError('text_too_long', `text: at most ${detail}`)
