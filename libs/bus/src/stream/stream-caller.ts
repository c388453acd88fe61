import type { PushStream, Sink } from '@parlance/async/push-stream'
import { type ChunkPacking, ServiceError, type StreamMethod } from '@parlance/contracts'
import type { z } from 'zod'
import type { Bus, Message, MessageBytes, PublishOptions } from '../bus.js'
import { defaultDeadlineMs } from '../call.js'
import type { CallContext, MethodAddress, StreamOptions } from '../call-context.js'
import { callDenied, deadlineExceeded, noReply, noResponders, replyPartLost, replyStopped } from '../missing-reply.js'
import { multiplexerOf, type ReplySubscription } from '../reply-multiplexer.js'
import { subjectOf } from '../subject.js'
import { type TracedCall, traceCall } from '../traced-call.js'
import { decodeError, encodeJson, encodeRequestHeaders, requestHeaders } from '../wire.js'
import { ChunkReceiver, SequenceGapError } from './chunk-receiver.js'
import type { ChunkSender } from './chunk-sender.js'
import { callerLiveness, Liveness } from './liveness.js'
import { callerFrame, decodeWindow, encodeFrame, type FrameVisitor, handlerFrame, visitFrames } from './stream-frame.js'
import { type StreamWindow, streamWindow } from './stream-window.js'

interface StreamCallerOptions {
  readonly bus: Bus
  readonly address: MethodAddress
  readonly request: unknown
  readonly context?: CallContext | undefined
  readonly lane?: string | undefined
  readonly instance?: string | undefined
  readonly deadlineMs?: number | undefined
  /** The schema of the handler's chunks. */
  readonly schema: z.ZodType
  readonly packing?: ChunkPacking<unknown> | undefined
  /** Receives the handler's chunks. */
  readonly sink: Sink<unknown>
  /** Sends the caller's chunks, in a bidirectional stream. Other streams must have their first chunk before the deadline. */
  readonly input?: ChunkSender
  /** The stream is over, and the sink has taken every chunk that came before the end. Called once. */
  readonly onOver: (failure: Failure | undefined) => void
}

interface Failure {
  readonly reason: unknown
}

/** A handler's process answers within milliseconds, however long its first chunk takes. */
const openLimitMs = 1_000

/**
 * The caller's side of a stream, of the server or bidirectional (frames: `stream-frame.ts`).
 *
 * States:
 * - `requested`: the request was published, and the handler has not answered.
 * - `open`: the handler's subject is known.
 * - `abandoned`: the stream is over for the caller, and the handler has not answered. It is cancelled when it does.
 * - `closed`: nothing more is sent or received.
 *
 * Invariants:
 * - the stream ends without a failure only on an `end` frame after all chunks;
 * - when the handler does not answer, stops sending or has ended, the stream fails with `unavailable` within two seconds;
 * - a handler whose caller stops early is sent `cancel`.
 */
export class StreamCaller {
  readonly #options: StreamCallerOptions
  readonly #service: string
  readonly #traced: TracedCall
  readonly #replies: ReplySubscription
  readonly #receiver: ChunkReceiver
  readonly #liveness = new Liveness(callerLiveness)
  readonly #expiresAtMs: number
  #state: 'requested' | 'open' | 'abandoned' | 'closed' = 'requested'
  #isOver = false
  #handlerSubject = ''
  /** The reply subject of the message whose frames are visited. */
  #messageReply: string | undefined

  /** Publishes the request. */
  constructor(options: StreamCallerOptions) {
    this.#options = options
    this.#service = options.address.service
    this.#traced = traceCall(options.bus, options.address, options.context)
    const { bus, address, lane, instance, sink, schema, packing, deadlineMs = defaultDeadlineMs } = options
    const requestSubject = subjectOf(address.service, address.method, { lane, instance })
    this.#expiresAtMs = performance.now() + deadlineMs
    this.#receiver = new ChunkReceiver({
      schema,
      packing,
      onTaken: (chunks) => this.#control(callerFrame.window, chunks),
      onSinkFailure: (reason) => this.cancel(reason),
    })
    this.#receiver.start(sink)
    this.#replies = multiplexerOf(bus).subscribe({
      publishesTo: requestSubject,
      onMessage: this.#onMessage,
      onSweep: this.#onSweep,
      onDenied: () => this.#end({ reason: callDenied(this.#service) }),
    })
    try {
      this.#publishRequest(requestSubject, deadlineMs)
    } catch (reason) {
      this.#end({ reason })
    }
  }

  /** Publishes frames. Throws when the bus is not connected. */
  publish(message: MessageBytes, options?: PublishOptions): void {
    this.#liveness.sent()
    this.#options.bus.publish(this.#handlerSubject, message, options)
  }

  /** Leaves the stream: the sink receives no more chunks, and the stream ends with `reason`. */
  cancel(reason: unknown): void {
    if (this.#isOver) return
    this.#receiver.discard()
    this.#leave()
    this.#over({ reason })
  }

  #publishRequest(subject: string, deadlineMs: number): void {
    const { bus, address, request } = this.#options
    bus.publish(subject, encodeJson(request), {
      reply: this.#replies.subject,
      headers: {
        ...encodeRequestHeaders(address.version, this.#traced.context, deadlineMs),
        [requestHeaders.windowChunks]: String(streamWindow.chunks),
        [requestHeaders.windowBytes]: String(streamWindow.bytes),
      },
    })
  }

  readonly #onMessage = ({ noResponders: isUnserved, reply, data }: Message): void => {
    if (isUnserved) {
      this.#end({ reason: this.#state === 'open' ? replyStopped(this.#service) : noResponders(this.#service) })
      return
    }
    this.#liveness.received()
    this.#messageReply = reply
    visitFrames(data, this.#onFrame)
  }

  readonly #onFrame: FrameVisitor = (kind, count, bytes, start, end) => {
    if (kind === handlerFrame.open) this.#onOpen(decodeWindow(bytes, start, end))
    else if (this.#state === 'requested') this.#fail(replyPartLost(this.#service))
    if (this.#state !== 'open') return
    try {
      this.#onReply(kind, count, bytes, start, end)
    } catch (cause) {
      if (cause instanceof SequenceGapError) this.#fail(replyPartLost(this.#service))
      else this.#fail(new ServiceError('internal_error', `The ${this.#service} service sent a bad chunk.`, { cause }))
    }
  }

  /** Throws what `ChunkReceiver.receive` throws. */
  readonly #onReply: FrameVisitor = (kind, count, bytes, start, end) => {
    switch (kind) {
      case handlerFrame.chunk:
      case handlerFrame.packed:
        this.#receiver.receive(count, bytes, start, end, kind === handlerFrame.packed)
        break
      case handlerFrame.end:
        this.#receiver.checkSequence(count)
        this.#end()
        break
      case handlerFrame.error:
        this.#end({ reason: decodeError(bytes.subarray(start, end)) })
        break
      case handlerFrame.window:
        this.#options.input?.taken(count)
    }
  }

  #onOpen(window: StreamWindow | undefined): void {
    if (this.#messageReply === undefined || this.#state === 'open') return
    this.#handlerSubject = this.#messageReply
    if (this.#state === 'abandoned') {
      this.#state = 'open'
      this.#leave()
      return
    }
    this.#state = 'open'
    if (window !== undefined) this.#options.input?.open(window)
  }

  readonly #onSweep = (nowMs: number, attentiveMs: number): void => {
    const due = this.#liveness.sweep(nowMs, attentiveMs)
    const isExpired = nowMs >= this.#expiresAtMs
    if (this.#state === 'abandoned') {
      if (isExpired) this.#close()
    } else if (isExpired && this.#isFirstChunkDue()) {
      this.#fail(deadlineExceeded(this.#service))
    } else if (this.#state === 'requested') {
      if (this.#liveness.silentMs > openLimitMs) this.#fail(noReply(this.#service))
    } else if (due === 'lost') {
      this.#fail(replyStopped(this.#service))
    } else if (due === 'heartbeat') {
      // With a reply subject the bus reports when the handler's process has ended.
      this.#control(callerFrame.heartbeat, 0, { reply: this.#replies.subject })
    }
  }

  #isFirstChunkDue(): boolean {
    return this.#options.input === undefined && this.#receiver.count === 0
  }

  /** While the connection is lost nothing can be sent; the handler notices the silence. */
  #control(kind: number, count = 0, options?: PublishOptions): void {
    if (this.#state === 'open' && this.#options.bus.connected()) this.publish(encodeFrame(kind, count), options)
  }

  #fail(reason: ServiceError): void {
    this.#leave()
    this.#overWhenTaken({ reason })
  }

  /** The handler has ended the stream or has stopped. */
  #end(failure?: Failure): void {
    this.#close()
    this.#overWhenTaken(failure)
  }

  #leave(): void {
    if (this.#state === 'requested') {
      this.#state = 'abandoned'
      this.#options.input?.close()
    } else if (this.#state === 'open') {
      this.#control(callerFrame.cancel)
      this.#close()
    }
  }

  #close(): void {
    this.#state = 'closed'
    this.#replies.close()
    this.#options.input?.close()
  }

  #overWhenTaken(failure?: Failure): void {
    if (!this.#isOver) this.#receiver.whenTaken(() => this.#over(failure))
  }

  #over(failure?: Failure): void {
    this.#isOver = true
    this.#traced.end(failure?.reason)
    this.#options.onOver(failure)
  }
}

/** A stream of the server as a push stream: each start sends the request again, and an abort cancels the handler. */
export const consumeStream =
  (
    bus: Bus,
    address: MethodAddress,
    { chunk: schema, packing }: StreamMethod,
    request: unknown,
    { onBegin, ...options }: StreamOptions,
  ): PushStream<unknown> =>
  async (sink, signal) => {
    signal.throwIfAborted()
    let hasBegun = false
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => caller.cancel(signal.reason)
      signal.addEventListener('abort', onAbort, { once: true })
      const caller = new StreamCaller({
        ...options,
        bus,
        address,
        request,
        schema,
        packing,
        sink(chunk) {
          if (!hasBegun) onBegin?.()
          hasBegun = true
          return sink(chunk)
        },
        onOver(failure) {
          signal.removeEventListener('abort', onAbort)
          if (failure === undefined) resolve()
          else reject(failure.reason)
        },
      })
    })
  }
