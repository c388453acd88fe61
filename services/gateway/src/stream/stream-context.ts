import type { OrderedSpeech } from '@parlance/clients/speech'
import {
  type RoutedVoice,
  type ServiceError,
  type StreamServerMessage,
  type StreamStart,
  type SynthesisChunk,
  type SynthesisRequest,
  toServiceError,
} from '@parlance/contracts'
import {
  alignmentFirst,
  canSay,
  refuseUnspeakable,
  roundToTenth,
  type SegmentBatch,
  SpeechRecord,
  speechStream,
} from '@parlance/speech'
import type { OutboundQueue } from '../websocket/outbound-queue.js'
import type { AudioChunk, AudioPayload } from './audio-frame.js'
import { ContextText } from './context-text.js'
import { createPacedAudio, type PacedAudio } from './paced-audio.js'

/** The maximum audio of the next batch that waits while this one is sent. */
const maxWaitingMs = 4_000

/** Orders the speech of one batch. */
export type OrderBatch = (
  request: SynthesisRequest,
  options: {
    /** Whether the text begins with this batch. */
    readonly isFirst: boolean
    /** Audio that the client has not played yet, in ms. */
    readonly aheadMs: number
  },
) => OrderedSpeech

/** A batch that is spoken and billed as one. */
type OrderedBatch = SegmentBatch & Pick<OrderedSpeech, 'chunks'>

interface StreamContextOptions {
  readonly index: number
  readonly start: StreamStart
  /** The request to the speech service for each batch, except for its text. */
  readonly request: SynthesisRequest
  readonly voice: RoutedVoice
  /** A BCP 47 tag: the language in which the voice speaks. */
  readonly language: string
  readonly outbound: OutboundQueue<StreamServerMessage>
  readonly orderBatch: OrderBatch
  readonly audioPayload: AudioPayload
  /** Whether the alignment of a segment is sent before its audio, which then waits for it. */
  readonly alignsFirst: boolean
  /** Sends the client the message that ends the context. */
  onError(error: ServiceError): void
  /** Called once, when the context has ended in any way. */
  onEnd(): void
  onFirstAudio(ttfaMs: number): void
}

/** How a context ends: all of it was sent, the client stopped it, or it failed. */
type ContextEnd = 'done' | 'stopped' | 'failed'

/** Created once, since an abort without a reason creates an error with its stack. */
const contextOver = new Error('The context is over.')

/**
 * One text that is spoken while it is still being written.
 *
 * - Segments are spoken in order on one clock. Waiting segments are spoken as one batch, while the batch before is sent.
 * - Credit is reserved for each batch before it is spoken. The client pays for what was sent: each segment whose audio was sent
 *   completely, and when the client cancels or disconnects, the text of the segment in progress up to the end of the word that
 *   the audio reached. Audio that was never sent costs nothing, nor does a segment that fails.
 * - Text of which the voice can say nothing waits for the text after it. Without any, the context fails.
 * - It ends once: with `done`, `cancelled` or `error`. Nothing of it is sent after that.
 *
 * The methods throw `ServiceError` for an invalid operation. The context then continues as before.
 */
export class StreamContext {
  readonly #options: StreamContextOptions
  readonly #id: string
  readonly #text: ContextText
  readonly #audio: PacedAudio
  readonly #record: SpeechRecord
  readonly #flushes: { readonly flushId: string | undefined; readonly atCharacters: number }[] = []
  readonly #stop = new AbortController()
  #state: 'speaking' | ContextEnd = 'speaking'
  /** The text so far, while the voice can say nothing of it. */
  #unsaid = ''
  /** Whether a speakable batch was begun. */
  #hasBegun = false
  #ttfaMs: number | null = null

  constructor(options: StreamContextOptions) {
    const { index, start, language, outbound, audioPayload } = options
    this.#options = options
    this.#id = start.context_id
    this.#text = new ContextText({ buffering: start.buffering, language })
    this.#audio = createPacedAudio({
      framed: { id: this.#id, index, frames: start.audio_frames },
      payload: audioPayload,
      outbound,
      signal: this.#stop.signal,
      onSent: (chunk, nowMs) => this.#onSent(chunk, nowMs),
    })
    this.#record = new SpeechRecord(start.speed)
    void this.#run()
  }

  text(text: string): void {
    this.#text.add(text, this.#record.completedCharacters)
  }

  flush(flushId: string | undefined): void {
    this.#text.flush()
    this.#flushes.push({ flushId, atCharacters: this.#text.queuedCharacters })
    this.#sendFlushed()
  }

  end(): void {
    this.#text.end()
  }

  /** `playedMs` is how much of the audio the client has played; by default as much as it can have played. */
  cancel(playedMs = Math.max(0, this.#record.sentMs - this.#audio.aheadMs())): void {
    const deliveredCharacters = this.#finish('stopped')
    if (deliveredCharacters === undefined) return
    const { spoken, remaining } = this.#record.splitAt(playedMs)
    this.#options.outbound.send({
      event: 'cancelled',
      context_id: this.#id,
      characters_billed: deliveredCharacters,
      text_spoken: spoken,
      text_remaining: remaining,
    })
  }

  /** The text of a segment of which an alignment was sent. */
  textOf(segment: number): string {
    return this.#record.textOf(segment)
  }

  /** Ends the context and sends nothing. */
  abandon(): void {
    this.#finish('stopped')
  }

  /** Ends the context and returns the code points that were delivered; undefined when it had ended before. */
  #finish(end: ContextEnd): number | undefined {
    if (this.#state !== 'speaking') return undefined
    this.#state = end
    this.#stop.abort(contextOver)
    const deliveredCharacters =
      end === 'stopped' ? this.#record.deliveredCharacters() : this.#record.completedCharacters
    if (this.#unsaid !== '') this.#record.add({ text: this.#unsaid })
    for (const left of this.#text.close()) this.#record.add(left)
    this.#record.settle(deliveredCharacters, { isOver: true })
    this.#options.onEnd()
    return deliveredCharacters
  }

  async #run(): Promise<void> {
    const speech = speechStream({
      batches: this.#orderedBatches(),
      synthesize: ({ chunks }) => chunks,
      speed: this.#options.start.speed,
      maxWaitingMs,
    })
    try {
      const ordered = this.#options.alignsFirst ? alignmentFirst(speech) : speech
      await ordered((chunk) => this.#send(chunk), this.#stop.signal)
    } catch (error) {
      if (this.#finish('failed') !== undefined) this.#options.onError(toServiceError(error))
    }
  }

  async *#orderedBatches(): AsyncGenerator<OrderedBatch> {
    let saysAny = false
    for await (const next of this.#text.batches) {
      // The text that is left when the context ends is not spoken.
      if (this.#state !== 'speaking') return
      const batch = afterUnsaid(this.#unsaid, next)
      saysAny ||= canSay(this.#options.voice, batch.text)
      this.#unsaid = saysAny ? '' : batch.text
      if (!saysAny) continue
      const { chunks, settle } = this.#order(batch)
      this.#record.add(batch, settle)
      yield { ...batch, chunks }
    }
    if (this.#unsaid !== '') refuseUnspeakable(this.#options.voice, this.#unsaid)
  }

  #order({ text, cuts, speakable }: SegmentBatch): OrderedSpeech {
    // The next batch is ordered only after the first audio of this one.
    const isFirst = !this.#hasBegun
    this.#hasBegun ||= speakable
    const { request, orderBatch } = this.#options
    return orderBatch(
      { ...request, text: text.toWellFormed(), cuts: [...cuts] },
      { isFirst, aheadMs: this.#audio.aheadMs() },
    )
  }

  #send(chunk: SynthesisChunk): void | Promise<void> {
    if (this.#state !== 'speaking') return
    // The client is disconnecting: it receives nothing more and pays for nothing more.
    if (!this.#options.outbound.isOpen()) return this.abandon()
    if (chunk.event === 'audio') return this.#audio.send(chunk)
    this.#record.follow(chunk)
    switch (chunk.event) {
      case 'alignment':
        return this.#sendAlignment(chunk)
      case 'segment':
        this.#record.settle(this.#record.completedCharacters, { isOver: false })
        return this.#sendFlushed()
      case 'done':
        this.#options.outbound.send({
          event: 'done',
          context_id: this.#id,
          audio_duration_ms: chunk.audio_duration_ms,
          characters_billed: this.#finish('done')!,
          ttfa_ms: this.#ttfaMs,
        })
    }
  }

  /** The words are always requested, and sent only when the client requested them. */
  #sendAlignment(chunk: Extract<SynthesisChunk, { event: 'alignment' }>): void {
    const { start, outbound } = this.#options
    if (start.alignment.length === 0) return
    const { segment, words, phonemes, visemes } = chunk
    outbound.send({
      event: 'alignment',
      context_id: this.#id,
      segment,
      words: start.alignment.includes('word') ? words : [],
      phonemes,
      visemes,
    })
  }

  #sendFlushed(): void {
    while (this.#flushes[0] !== undefined && this.#flushes[0].atCharacters <= this.#record.completedCharacters) {
      const { flushId } = this.#flushes.shift()!
      this.#options.outbound.send({
        event: 'flushed',
        context_id: this.#id,
        ...(flushId !== undefined && { flush_id: flushId }),
      })
    }
  }

  #onSent(chunk: AudioChunk, nowMs: number): void {
    this.#record.follow(chunk)
    if (this.#ttfaMs !== null) return
    this.#ttfaMs = roundToTenth(nowMs - (this.#text.firstQueuedMs ?? nowMs))
    this.#options.onFirstAudio(this.#ttfaMs)
  }
}

/** The batch with this text before it, as part of its first segment. */
const afterUnsaid = (unsaid: string, { text, cuts, speakable }: SegmentBatch): SegmentBatch => ({
  text: unsaid + text,
  cuts: cuts.map((cut) => unsaid.length + cut),
  speakable,
})
