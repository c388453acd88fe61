import type { PushStream } from '@parlance/async/push-stream'
import type { SpeechBill } from '@parlance/clients/speech'
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
  canSay,
  createSpeechRecord,
  cutText,
  refuseUnspeakable,
  roundToTenth,
  type SegmentBatch,
  type SpeechRecord,
  speechStream,
  unspoken,
} from '@parlance/speech'
import type { OutboundQueue } from '../websocket/outbound-queue.js'
import { BatchLedger, type BilledBatch } from './batch-ledger.js'
import { ContextText } from './context-text.js'
import { createPacedAudio, type PacedAudio } from './paced-audio.js'

/** The maximum audio of the next batch that waits while this one is sent. */
const maxWaitingMs = 4_000

/** Speaks one batch. The bill is open when it resolves. */
export type SpeakBatch = (
  request: SynthesisRequest,
  options: {
    readonly characters: number
    /** Whether the text begins with this batch. */
    readonly isFirst: boolean
    /** Audio that the client has not played yet, in ms. */
    readonly aheadMs: number
  },
) => Promise<{ bill: SpeechBill; speech: PushStream<SynthesisChunk> }>

export interface StreamContextOptions {
  readonly index: number
  readonly start: StreamStart
  /** The request to the speech service for each batch, except for its text. */
  readonly request: SynthesisRequest
  readonly voice: RoutedVoice
  /** A BCP 47 tag: the language in which the voice speaks. */
  readonly language: string
  readonly outbound: OutboundQueue<StreamServerMessage>
  readonly speakBatch: SpeakBatch
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
  readonly #ledger = new BatchLedger()
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
    const { index, start, language, outbound } = options
    this.#options = options
    this.#id = start.context_id
    this.#text = new ContextText({ buffering: start.buffering, language })
    this.#audio = createPacedAudio({
      framed: { id: this.#id, index, frames: start.audio_frames },
      outbound,
      signal: this.#stop.signal,
      onFirst: (nowMs) => this.#onFirstAudio(nowMs),
    })
    this.#record = createSpeechRecord({ sentMs: this.#audio.sentMs, speed: start.speed })
    void this.#run()
  }

  text(text: string): void {
    this.#text.add(text, this.#ledger.sentCharacters)
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
  cancel(playedMs = this.#audio.playedMs()): void {
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

  /** Ends the context and sends nothing. */
  abandon(): void {
    this.#finish('stopped')
  }

  /** Ends the context and returns the code points that were delivered; undefined when it had ended before. */
  #finish(end: ContextEnd): number | undefined {
    if (this.#state !== 'speaking') return undefined
    this.#state = end
    this.#stop.abort(contextOver)
    const deliveredCharacters = end === 'stopped' ? this.#record.delivered() : this.#ledger.sentCharacters
    if (this.#unsaid !== '') this.#record.add({ text: this.#unsaid })
    for (const left of this.#text.close()) this.#record.add(left)
    this.#ledger.close(deliveredCharacters)
    this.#options.onEnd()
    return deliveredCharacters
  }

  async #run(): Promise<void> {
    const speech = speechStream<BilledBatch>({
      batches: this.#begunBatches(),
      synthesize: (batch) => (sink, signal) => this.#speak(batch)(sink, signal),
      speed: this.#options.start.speed,
      maxWaitingMs,
    })
    try {
      await speech((chunk) => this.#send(chunk), this.#stop.signal)
    } catch (error) {
      if (this.#finish('failed') !== undefined) this.#options.onError(toServiceError(error))
    }
  }

  async *#begunBatches(): AsyncGenerator<BilledBatch> {
    let saysAny = false
    for await (const next of this.#text.batches) {
      const batch = afterUnsaid(this.#unsaid, next)
      saysAny ||= canSay(this.#options.voice, batch.text)
      this.#unsaid = saysAny ? '' : batch.text
      if (!saysAny) continue
      const billed = this.#ledger.begin(batch)
      for (const text of cutText(batch.text, batch.cuts)) this.#record.add({ text })
      yield billed
    }
    if (this.#unsaid !== '') refuseUnspeakable(this.#options.voice, this.#unsaid)
  }

  #speak(batch: BilledBatch): PushStream<SynthesisChunk> {
    return async (sink, signal) => {
      // The next batch is requested only after the first audio of this one.
      const isFirst = !this.#hasBegun
      this.#hasBegun ||= batch.speakable
      const { request, speakBatch } = this.#options
      const { characters, cuts, text } = batch
      const spoken = await speakBatch(
        { ...request, text: text.toWellFormed(), cuts: [...cuts] },
        { characters, isFirst, aheadMs: this.#audio.aheadMs() },
      )
      if (!this.#ledger.billOpened(batch, spoken.bill)) return
      await (batch.speakable ? spoken.speech : unspoken(batch))(sink, signal)
    }
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
        this.#ledger.segmentSent(chunk.characters)
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
    while (this.#flushes[0] !== undefined && this.#flushes[0].atCharacters <= this.#ledger.sentCharacters) {
      const { flushId } = this.#flushes.shift()!
      this.#options.outbound.send({
        event: 'flushed',
        context_id: this.#id,
        ...(flushId !== undefined && { flush_id: flushId }),
      })
    }
  }

  #onFirstAudio(nowMs: number): void {
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
