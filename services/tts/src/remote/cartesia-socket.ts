/**
 * One WebSocket for all utterances in progress, each a context with its own id.
 *
 * - It is opened on demand, and again after it was lost.
 * - An invalid message closes the socket and fails its utterances, since nothing after it can be trusted.
 * - Messages of a finished context are ignored.
 * - A socket whose server does not answer pings is closed.
 */
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

export interface CartesiaSocket {
  /** Resolves when the socket is open. */
  connect(signal: AbortSignal): Promise<void>
  /** Sends a request in a new context and resolves when the context is done. An abort cancels it at once. */
  speak(request: object, signal: AbortSignal, onMessage: (message: CartesiaMessage) => void): Promise<void>
  close(): void
}

interface Context {
  onMessage(message: CartesiaMessage): void
  fail(failure: RemoteFailure): void
}

interface Connection {
  readonly socket: WebSocket
  readonly contexts: Map<string, Context>
}

const maxMessageBytes = 4 * 1024 * 1024

export const createCartesiaSocket = (options: CartesiaSocketOptions): CartesiaSocket => {
  const { url, headers, connectTimeoutMs, pingIntervalMs } = options
  let current: Promise<Connection> | undefined
  let terminate = () => {}
  let closed = false

  const open = (): Promise<Connection> => {
    const opening = new Promise<Connection>((resolve, reject) => {
      const contexts = new Map<string, Context>()
      const socket = new WebSocket(url, {
        headers,
        followRedirects: false,
        handshakeTimeout: connectTimeoutMs,
        maxPayload: maxMessageBytes,
        perMessageDeflate: false,
      })
      terminate = () => socket.terminate()
      let alive = true
      const heartbeat = setInterval(() => {
        if (!alive) return lose(new RemoteFailure('failing', 'the server does not answer on its socket'))
        alive = false
        if (socket.readyState === WebSocket.OPEN) socket.ping()
      }, pingIntervalMs)

      const lose = (failure: RemoteFailure) => {
        clearInterval(heartbeat)
        if (current === opening) current = undefined
        reject(failure)
        socket.terminate()
        for (const context of contexts.values()) context.fail(failure)
        contexts.clear()
      }
      const receive = (data: Buffer, isBinary: boolean) => {
        if (isBinary) throw new RemoteFailure('broken', 'a binary message where text was expected')
        const message = parseCartesiaMessage(data.toString('utf8'))
        if (message === undefined) return
        if (message.type === 'error' && !message.context_id) throw failureOfCartesia(message)
        contexts.get(message.context_id ?? '')?.onMessage(message)
      }

      socket.on('open', () => resolve({ socket, contexts }))
      socket.on('pong', () => {
        alive = true
      })
      socket.on('message', (data: Buffer, isBinary) => {
        alive = true
        try {
          receive(data, isBinary)
        } catch (error) {
          lose(error as RemoteFailure)
        }
      })
      socket.on('unexpected-response', (_request, response) => {
        response.resume()
        lose(failureOfStatus(response.statusCode ?? 500, undefined, retryAfterMsOf(response.headers['retry-after'])))
      })
      socket.on('error', (cause: Error & { code?: string }) => {
        const kind = /^WS_ERR_/.test(cause.code ?? '') ? 'broken' : 'failing'
        lose(new RemoteFailure(kind, 'the socket to the server failed', { cause }))
      })
      socket.on('close', () => lose(new RemoteFailure('failing', 'the server closed the socket')))
    })
    // The rejection is handled by the callers that wait for the connection, of which there may be none.
    opening.catch(() => {})
    return opening
  }

  const connection = (signal: AbortSignal): Promise<Connection> => {
    if (closed) return Promise.reject(new RemoteFailure('failing', 'the engine is being closed'))
    current ??= open()
    return whileWanted(current, signal)
  }

  return {
    connect: async (signal) => void (await connection(signal)),

    async speak(request, signal, onMessage) {
      const { socket, contexts } = await connection(signal)
      signal.throwIfAborted()
      const contextId = randomUUID()
      await new Promise<void>((resolve, reject) => {
        const settle = (failure?: unknown) => {
          contexts.delete(contextId)
          signal.removeEventListener('abort', abort)
          if (failure === undefined) resolve()
          else reject(failure)
        }
        const cancel = (reason: unknown) => {
          socket.send(JSON.stringify({ context_id: contextId, cancel: true }), () => {})
          settle(reason)
        }
        const abort = () => cancel(signal.reason)
        contexts.set(contextId, {
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
        socket.send(JSON.stringify({ ...request, context_id: contextId }), (error) => {
          if (error) settle(new RemoteFailure('failing', 'the socket to the server failed', { cause: error }))
        })
      })
    },

    close() {
      closed = true
      terminate()
    },
  }
}

/** Settles as the promise does, or rejects with the signal's reason when that is aborted first. */
const whileWanted = <Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
