import type { ChunkPacking, ServiceError } from '@parlance/contracts'
import type { Bus, MessageBytes } from '../bus.js'
import { multiplexerOf, type ReplySubscription } from '../reply-multiplexer.js'
import { encodeError } from '../wire.js'
import type { ChunkReceiver } from './chunk-receiver.js'
import { ChunkSender } from './chunk-sender.js'
import { createFrameBatch, type FrameBatch } from './frame-batch.js'
import { handlerLiveness, Liveness } from './liveness.js'
import { callerFrame, encodeFrame, encodeWindow, type FrameVisitor, handlerFrame, visitFrames } from './stream-frame.js'
import { type StreamWindow, streamWindow } from './stream-window.js'

export interface StreamResponderOptions {
  readonly bus: Bus
  /** The caller's reply subject. */
  readonly reply: string
  /** The caller's window. */
  readonly window: StreamWindow
  readonly packing?: ChunkPacking<unknown> | undefined
  /** Receives the caller's chunks, in a bidirectional stream. */
  readonly input?: ResponderInput
}

interface ResponderInput {
  readonly receiver: ChunkReceiver
  /** The caller sends no more chunks. */
  onEnd(): void
  /** A frame is missing or malformed. */
  onBroken(cause: unknown): void
}

/** Many handlers produce their first chunk within this time, and `open` is sent with it. */
const openDelayMs = 40

/**
 * The handler's side of a stream, of the server or bidirectional (frames: `stream-frame.ts`).
 *
 * States:
 * - `open`: chunks may be sent.
 * - `left`: the caller has cancelled or is lost. The signal is aborted, and nothing is sent.
 * - `closed`: the handler is done.
 *
 * Invariants:
 * - no more chunks are in flight than the caller's window allows;
 * - the signal is aborted when the caller cancels, when its process has ended, and when it has sent nothing for five seconds;
 * - the last frame is `end` or `error`, unless the caller has left. While there is nothing to send, heartbeats are sent.
 */
export class StreamResponder {
  readonly #options: StreamResponderOptions
  readonly #abort = new AbortController()
  readonly #liveness = new Liveness(handlerLiveness)
  readonly #frames: FrameBatch
  readonly #sender: ChunkSender
  readonly #replies: ReplySubscription
  #state: 'open' | 'left' | 'closed' = 'open'
  #isOpenSent = false

  /** Sends `open`. */
  constructor(options: StreamResponderOptions) {
    this.#options = options
    this.#frames = createFrameBatch(
      (message) => this.#publish(message),
      (reason) => this.leave(reason),
    )
    this.#sender = new ChunkSender(this.#frames, handlerFrame, options.packing)
    this.#sender.open(options.window)
    this.#replies = multiplexerOf(options.bus).subscribe({
      publishesTo: options.reply,
      onMessage: ({ data, noResponders }) => {
        if (noResponders) return this.leave(new Error('the process of the caller has ended'))
        this.#liveness.received()
        visitFrames(data, this.#onFrame)
      },
      onSweep: this.#onSweep,
      onDenied: () => this.leave(new Error('the bus does not allow this process to answer the caller')),
    })
    const ownWindow = options.input && encodeWindow(streamWindow)
    this.#frames.add([encodeFrame(handlerFrame.open, 0, ownWindow)], openDelayMs)
  }

  /** Aborted when the caller has disconnected. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /**
   * Returns nothing for a chunk that was sent, else a promise that resolves when no chunk waits, or when the caller has
   * left.
   */
  send(chunk: object): void | Promise<void> {
    return this.#sender.send(chunk)
  }

  /** Sends the frames in the batch now. */
  flush(): void {
    this.#frames.flush()
  }

  /** Allows the caller to send this many more chunks. */
  updateWindow(chunks: number): void {
    if (this.#state === 'open') this.#frames.add([encodeFrame(handlerFrame.window, chunks)])
  }

  /** Sends `end` after all chunks. */
  end(): Promise<void> {
    return this.#sender.end()
  }

  /** Sends `error`. Waiting chunks are discarded. */
  fail(error: ServiceError): void {
    if (this.#state !== 'open' || !this.#options.bus.connected()) return
    this.#frames.add([encodeFrame(handlerFrame.error, this.#sender.count, encodeError(error))])
    this.#frames.flush()
  }

  /** The caller has disconnected, for `reason`. */
  leave(reason: unknown): void {
    if (this.#state !== 'open') return
    this.#state = 'left'
    this.#abort.abort(reason)
    this.#sender.close()
  }

  /** The handler is done. */
  close(): void {
    this.#state = 'closed'
    this.#sender.close()
    this.#replies.close()
  }

  /**
   * With a reply subject the caller learns where to send its frames, and the bus reports when the caller's process has
   * ended.
   */
  #publish(message: MessageBytes, withReply = !this.#isOpenSent): void {
    this.#liveness.sent()
    this.#isOpenSent = true
    const { bus, reply } = this.#options
    bus.publish(reply, message, withReply ? { reply: this.#replies.subject } : undefined)
  }

  readonly #onFrame: FrameVisitor = (kind, count, bytes, start, end) => {
    if (kind === callerFrame.cancel) return this.leave(new Error('the caller has left'))
    if (kind === callerFrame.window) return this.#sender.taken(count)
    const { input } = this.#options
    if (input === undefined || this.#state !== 'open') return
    try {
      if (kind === callerFrame.chunk) input.receiver.receive(count, bytes, start, end)
      if (kind === callerFrame.end) {
        input.receiver.checkSequence(count)
        input.onEnd()
      }
    } catch (cause) {
      input.onBroken(cause)
    }
  }

  readonly #onSweep = (nowMs: number, attentiveMs: number): void => {
    if (this.#state !== 'open') return
    const due = this.#liveness.sweep(nowMs, attentiveMs)
    if (due === 'lost') this.leave(new Error('the caller has been silent for too long'))
    if (due !== 'heartbeat' || !this.#options.bus.connected()) return
    this.#frames.flush()
    this.#publish(encodeFrame(handlerFrame.heartbeat), true)
  }
}

/**
 * Runs a handler on its stream and ends the stream. Resolves with the error that was sent to the caller, or with undefined.
 * Never rejects. `toServiceError` turns what the handler throws into the error for the caller.
 */
export const respond = async (
  responder: StreamResponder,
  handle: () => Promise<void>,
  toServiceError: (error: unknown) => ServiceError,
): Promise<ServiceError | undefined> => {
  try {
    await handle()
    await responder.end()
    return undefined
  } catch (error) {
    // The signal is aborted, and the handler has stopped: that is not a failure.
    if (responder.signal.aborted) return undefined
    const answer = toServiceError(error)
    responder.fail(answer)
    return answer
  } finally {
    responder.close()
  }
}

/** Returns a function that is true once work has run for the budget since its first call in this tick of the event loop. */
const createTickBudget = (budgetMs: number): (() => boolean) => {
  /** `performance.now()` of the first call in this tick. */
  let beganAtMs: number | undefined
  const onTickEnd = () => {
    beganAtMs = undefined
  }
  return () => {
    const nowMs = performance.now()
    if (beganAtMs === undefined) {
      beganAtMs = nowMs
      setImmediate(onTickEnd)
    }
    return nowMs - beganAtMs >= budgetMs
  }
}

interface ProducedStream extends Omit<StreamResponderOptions, 'input'> {
  readonly produce: (signal: AbortSignal) => AsyncIterable<object>
  readonly toServiceError: (error: unknown) => ServiceError
}

/** How long chunks may be produced before other work of the process must run. */
const tickBudgetMs = 0.5

/** At the end of the first tick the batch is published, at the end of the second the bus sends it. */
const twoTicks = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)))

/**
 * Answers a request with a stream of the server. Resolves with the error that was sent to the caller, or with undefined.
 *
 * The first chunk with data is sent before the next one is produced; later chunks may be batched for some milliseconds.
 */
export const produceStream = ({
  produce,
  toServiceError,
  ...options
}: ProducedStream): Promise<ServiceError | undefined> => {
  const responder = new StreamResponder(options)
  const isBudgetSpent = createTickBudget(tickBudgetMs)
  let hasSentData = false

  const handle = async () => {
    for await (const chunk of produce(responder.signal)) {
      if (responder.signal.aborted) return
      const sent = responder.send(chunk)
      if (sent !== undefined) await sent
      if (responder.signal.aborted) return
      const isFirstData: boolean = !hasSentData && hasData(chunk)
      hasSentData ||= isFirstData
      if (isBudgetSpent() || isFirstData) await twoTicks()
    }
  }
  return respond(responder, handle, toServiceError)
}

const hasData = ({ data }: { readonly data?: Uint8Array }): boolean => data !== undefined && data.length > 0
