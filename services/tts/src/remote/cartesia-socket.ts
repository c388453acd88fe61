/**
 * One WebSocket for all utterances in progress, each a context with its own id.
 *
 * - It is opened on demand, and again after it was lost.
 * - An invalid message closes the socket and fails its utterances, since nothing after it can be trusted.
 * - Messages of a finished context are ignored.
 * - A socket whose server does not answer pings is closed.
 */
import { randomUUID } from 'node:crypto'
import { orAborted } from '@parlance/async'
import { isErrorName } from '@parlance/contracts'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { failureOfStatus, RemoteFailure, retryAfterMsOf } from './remote-failure.js'

/** The messages of Cartesia's WebSocket. Unknown kinds are ignored. */

const contextId = z.string().nullish()
const seconds = z.array(z.number())

const knownMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('chunk'), context_id: contextId, data: z.string() }),
  z.object({
    type: z.literal('timestamps'),
    context_id: contextId,
    word_timestamps: z.object({ words: z.array(z.string()), start: seconds, end: seconds }).nullish(),
  }),
  z.object({
    type: z.literal('phoneme_timestamps'),
    context_id: contextId,
    phoneme_timestamps: z.object({ phonemes: z.array(z.string()), start: seconds, end: seconds }).nullish(),
  }),
  z.object({ type: z.literal('done'), context_id: contextId }),
  z.object({
    type: z.literal('error'),
    context_id: contextId,
    status_code: z.int().nullish(),
    error_code: z.string().nullish(),
  }),
])
const anyMessage = z.object({ type: z.string(), context_id: contextId })

type CartesiaMessage = z.infer<typeof knownMessage>

const knownTypes: ReadonlySet<string> = new Set(['chunk', 'timestamps', 'phoneme_timestamps', 'done', 'error'])

/** Returns undefined for an unknown kind. Throws a `RemoteFailure` for an invalid message. */
const parseCartesiaMessage = (text: string): CartesiaMessage | undefined => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new RemoteFailure('broken', 'a message that is not JSON', { cause })
  }
  const any = anyMessage.safeParse(value)
  if (any.success && !knownTypes.has(any.data.type)) return undefined
  const known = knownMessage.safeParse(value)
  if (!known.success) throw new RemoteFailure('broken', 'a message of an unknown shape')
  return known.data
}

const failureOfCartesia = (error: Extract<CartesiaMessage, { type: 'error' }>): RemoteFailure => {
  const { status_code: status, error_code: code } = error
  return failureOfStatus(status ?? 500, isErrorName(code) ? code : undefined)
}

interface CartesiaSocketOptions {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly connectTimeoutMs: number
  readonly pingIntervalMs: number
}

interface Context {
  onMessage(message: CartesiaMessage): void
  fail(failure: RemoteFailure): void
}

const maxMessageBytes = 4 * 1024 * 1024

/** One WebSocket and the contexts in it. It is connecting, then open, then lost, which is final. */
class CartesiaConnection {
  /** Resolves when the socket is open. Rejects with a `RemoteFailure` when it is lost before that. */
  readonly opened: Promise<void>
  readonly #socket: WebSocket
  readonly #contexts = new Map<string, Context>()
  readonly #heartbeat: NodeJS.Timeout
  readonly #onLost: () => void
  #notOpened = (_failure: RemoteFailure): void => {}
  /** The server has sent something since the last ping. */
  #isAlive = true

  /** Begins to connect. `onLost` may be called more than once. */
  constructor({ url, headers, connectTimeoutMs, pingIntervalMs }: CartesiaSocketOptions, onLost: () => void) {
    this.#onLost = onLost
    this.#socket = new WebSocket(url, {
      headers,
      followRedirects: false,
      handshakeTimeout: connectTimeoutMs,
      maxPayload: maxMessageBytes,
      perMessageDeflate: false,
    })
    this.opened = new Promise((resolve, reject) => {
      this.#socket.on('open', () => resolve())
      this.#notOpened = reject
    })
    // The rejection is handled by the callers that wait for the connection, of which there may be none.
    this.opened.catch(() => {})
    this.#heartbeat = setInterval(() => this.#ping(), pingIntervalMs)
    this.#listen()
  }

  /** Sends a request in a new context and resolves when the context is done. An abort cancels it at once. */
  speak(request: object, signal: AbortSignal, onMessage: (message: CartesiaMessage) => void): Promise<void> {
    const contextId = randomUUID()
    return new Promise((resolve, reject) => {
      const settle = (failure?: unknown) => {
        this.#contexts.delete(contextId)
        signal.removeEventListener('abort', abort)
        if (failure === undefined) resolve()
        else reject(failure)
      }
      const cancel = (reason: unknown) => {
        this.#socket.send(JSON.stringify({ context_id: contextId, cancel: true }), () => {})
        settle(reason)
      }
      const abort = () => cancel(signal.reason)
      this.#contexts.set(contextId, {
        onMessage(message) {
          if (message.type === 'done') return settle()
          if (message.type === 'error') return settle(failureOfCartesia(message))
          try {
            onMessage(message)
          } catch (error) {
            cancel(error)
          }
        },
        fail: settle,
      })
      signal.addEventListener('abort', abort, { once: true })
      this.#socket.send(JSON.stringify({ ...request, context_id: contextId }), (error) => {
        if (error) settle(new RemoteFailure('failing', 'the socket to the server failed', { cause: error }))
      })
    })
  }

  terminate(): void {
    this.#socket.terminate()
  }

  #listen(): void {
    const socket = this.#socket
    socket.on('pong', () => {
      this.#isAlive = true
    })
    socket.on('message', (data: Buffer, isBinary) => {
      this.#isAlive = true
      try {
        this.#receive(data, isBinary)
      } catch (error) {
        this.#lose(error as RemoteFailure)
      }
    })
    socket.on('unexpected-response', (_request, response) => {
      response.resume()
      const retryAfterMs = retryAfterMsOf(response.headers['retry-after'])
      this.#lose(failureOfStatus(response.statusCode ?? 500, undefined, retryAfterMs))
    })
    socket.on('error', (cause: Error & { code?: string }) => {
      const kind = /^WS_ERR_/.test(cause.code ?? '') ? 'broken' : 'failing'
      this.#lose(new RemoteFailure(kind, 'the socket to the server failed', { cause }))
    })
    socket.on('close', () => this.#lose(new RemoteFailure('failing', 'the server closed the socket')))
  }

  #ping(): void {
    if (!this.#isAlive) {
      this.#lose(new RemoteFailure('failing', 'the server does not answer on its socket'))
      return
    }
    this.#isAlive = false
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping()
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (isBinary) throw new RemoteFailure('broken', 'a binary message where text was expected')
    const message = parseCartesiaMessage(data.toString('utf8'))
    if (message === undefined) return
    if (message.type === 'error' && !message.context_id) throw failureOfCartesia(message)
    this.#contexts.get(message.context_id ?? '')?.onMessage(message)
  }

  #lose(failure: RemoteFailure): void {
    clearInterval(this.#heartbeat)
    this.#onLost()
    this.#notOpened(failure)
    this.#socket.terminate()
    for (const context of this.#contexts.values()) context.fail(failure)
    this.#contexts.clear()
  }
}

export const createCartesiaSocket = (options: CartesiaSocketOptions) => {
  let current: CartesiaConnection | undefined
  let closed = false

  const open = (): CartesiaConnection => {
    const connection = new CartesiaConnection(options, () => {
      if (current === connection) current = undefined
    })
    return connection
  }

  const connect = async (signal: AbortSignal): Promise<CartesiaConnection> => {
    if (closed) throw new RemoteFailure('failing', 'the engine is being closed')
    current ??= open()
    const connection = current
    await orAborted(connection.opened, signal)
    return connection
  }

  return {
    /** Resolves when the socket is open. */
    connect: async (signal: AbortSignal): Promise<void> => void (await connect(signal)),

    /** Sends a request in a new context and resolves when the context is done. An abort cancels it at once. */
    async speak(request: object, signal: AbortSignal, onMessage: (message: CartesiaMessage) => void): Promise<void> {
      const connection = await connect(signal)
      signal.throwIfAborted()
      await connection.speak(request, signal, onMessage)
    },

    close(): void {
      closed = true
      current?.terminate()
    },
  }
}
