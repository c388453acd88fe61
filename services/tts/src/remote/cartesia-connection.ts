import { randomUUID } from 'node:crypto'
import { WebSocket } from 'ws'
import { type CartesiaMessage, failureOfCartesia, parseCartesiaMessage } from './cartesia-message.js'
import { RemoteFailure } from './remote-failure.js'
import { failureOfStatus, retryAfterMsOf } from './status-failure.js'

export interface CartesiaSocketOptions {
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
export class CartesiaConnection {
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
