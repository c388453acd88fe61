import {
  ServiceError,
  type StreamClientMessage,
  type StreamGrant,
  type StreamServerMessage,
  type StreamStart,
  type SynthesisRequest,
  streamLimits,
  toServiceError,
} from '@parlance/contracts'
import { countCodePoints } from '@parlance/speech'
import type { Span } from '@parlance/telemetry'
import type { OutboundQueue } from '../websocket/outbound-queue.js'
import type { AudioPayload } from './audio-frame.js'
import { type OrderBatch, StreamContext } from './stream-context.js'
import { type CheckedVoice, streamRequest } from './stream-request.js'

type ContextMessage = Extract<StreamClientMessage, { context_id: string }>

export interface StreamContextsOptions {
  readonly grant: StreamGrant
  readonly outbound: OutboundQueue<StreamServerMessage>
  /** Resolves when the voice can speak this. Rejects with the error for the `start`. */
  readonly checkVoice: (request: SynthesisRequest) => Promise<CheckedVoice>
  readonly orderBatch: OrderBatch
  readonly audioPayload: AudioPayload
  readonly alignsFirst: boolean
  /** Sends the client an error of one context. */
  sendError(error: ServiceError, contextId: string): void
  onFirstAudio(ttfaMs: number): void
  /** Starts the span of a context, where the trace of the connection is sampled. */
  startSpan(): Span | undefined
  /** A context was opened or has ended. */
  onContexts(change: 1 | -1): void
  /** A context is over, or could not be started. */
  onContextOver(): void
}

/** The contexts of one connection. A context is started once its voice is found. Messages for it that arrive meanwhile wait. */
export class StreamContexts {
  readonly #options: StreamContextsOptions
  readonly #contexts = new Map<string, StreamContext>()
  /** Contexts whose voice is being looked up, with the messages that wait for it. */
  readonly #starting = new Map<string, ContextMessage[]>()
  #openedCount = 0
  #receivedCharacters = 0
  #draining = false

  constructor(options: StreamContextsOptions) {
    this.#options = options
  }

  /** Contexts that have not ended, including those that are being started. */
  get size(): number {
    return this.#contexts.size + this.#starting.size
  }

  /** Contexts that were opened since the connection began. */
  get openedCount(): number {
    return this.#openedCount
  }

  /** Whether a context was started, even if its voice is still being looked up. */
  get isUsed(): boolean {
    return this.#openedCount > 0 || this.#starting.size > 0
  }

  /** Handles the message. Throws a `ServiceError` when it is invalid now; the context then continues as before. */
  handle(message: ContextMessage) {
    if (message.event === 'start') return this.#start(message)
    const waiting = this.#starting.get(message.context_id)
    if (waiting !== undefined) return void waiting.push(message)
    switch (message.event) {
      case 'text':
        return this.#addText(message.context_id, message.text)
      case 'flush':
        return this.#find(message.context_id).flush(message.flush_id)
      case 'end':
        return this.#find(message.context_id).end()
      case 'cancel':
        return this.#find(message.context_id).cancel(message.played_ms)
    }
  }

  /**
   * Refuses new contexts from now on, except the first one: a client that has just connected sends its `start` without having
   * learned that the server stops.
   */
  drain(): void {
    this.#draining = true
  }

  /** Whether the context has not ended. An error of one that is open concerns a message alone. */
  isOpen(contextId: string): boolean {
    return this.#contexts.has(contextId) || this.#starting.has(contextId)
  }

  /** The text of a segment of an open context. */
  textOf(contextId: string, segment: number): string {
    return this.#contexts.get(contextId)?.textOf(segment) ?? ''
  }

  /** Ends all open contexts, and sends nothing. */
  abandonAll(): void {
    for (const context of [...this.#contexts.values()]) context.abandon()
  }

  #start(message: StreamStart): void {
    const id = message.context_id
    if (this.#draining && this.isUsed) throw draining()
    if (this.#contexts.has(id) || this.#starting.has(id)) {
      throw new ServiceError('context_exists', 'context_id: this context has not ended yet')
    }
    if (this.size >= streamLimits.contexts) {
      throw new ServiceError('too_many_contexts', `At most ${streamLimits.contexts} contexts at once on a connection.`)
    }
    const request = streamRequest(this.#options.grant, message)
    this.#starting.set(id, [])
    this.#openOnceFound(message, request).catch((error: unknown) => {
      this.#starting.delete(id)
      if (!this.#options.outbound.isOpen()) return
      this.#options.sendError(toServiceError(error), id)
      this.#options.onContextOver()
    })
  }

  /** Rejects when the voice cannot speak this. */
  async #openOnceFound(message: StreamStart, request: SynthesisRequest): Promise<void> {
    const id = message.context_id
    const checked = await this.#options.checkVoice(request)
    const waiting = this.#starting.get(id)!
    this.#starting.delete(id)
    if (!this.#options.outbound.isOpen()) return
    this.#open(message, request, checked)
    for (const next of waiting) this.#handleLate(next, id)
  }

  #open(message: StreamStart, request: SynthesisRequest, { voice, language }: CheckedVoice): void {
    const { outbound, orderBatch, audioPayload, alignsFirst } = this.#options
    const { sendError, onFirstAudio, startSpan, onContexts, onContextOver } = this.#options
    const id = message.context_id
    const index = ++this.#openedCount
    outbound.send({ event: 'started', context_id: id, context_index: index, output: request.output })
    onContexts(1)
    const span = startSpan()
    const open = () =>
      new StreamContext({
        index,
        start: message,
        request,
        voice,
        language,
        outbound,
        orderBatch,
        audioPayload,
        alignsFirst,
        onFirstAudio,
        onError(error) {
          span?.end(error)
          sendError(error, id)
        },
        onEnd: () => {
          span?.end()
          this.#contexts.delete(id)
          onContexts(-1)
          onContextOver()
        },
      })
    this.#contexts.set(id, span === undefined ? open() : span.run(open))
  }

  /** Handles a message that has waited. An error is sent as it would have been at once. */
  #handleLate(message: ContextMessage, contextId: string): void {
    try {
      this.handle(message)
    } catch (error) {
      this.#options.sendError(toServiceError(error), contextId)
    }
  }

  #find(id: string): StreamContext {
    const context = this.#contexts.get(id)
    if (context === undefined) {
      throw new ServiceError('invalid_request', 'context_id: this context is not open; send "start" first')
    }
    return context
  }

  #addText(id: string, text: string): void {
    const context = this.#find(id)
    const characters = countCodePoints(text)
    const { max_characters: maxCharacters } = this.#options.grant
    if (maxCharacters !== null && this.#receivedCharacters + characters > maxCharacters) {
      throw new ServiceError('text_too_long', `text: the token allows ${maxCharacters} characters in total.`)
    }
    context.text(text)
    this.#receivedCharacters += characters
  }
}

const draining = () => new ServiceError('draining', 'This server is about to stop. Connect again.')
