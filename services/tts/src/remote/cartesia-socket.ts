/**
 * One WebSocket for all utterances in progress, each a context with its own id.
 *
 * - It is opened on demand, and again after it was lost.
 * - An invalid message closes the socket and fails its utterances, since nothing after it can be trusted.
 * - Messages of a finished context are ignored.
 * - A socket whose server does not answer pings is closed.
 */
import { orAborted } from '@parlance/async'
import { CartesiaConnection, type CartesiaSocketOptions } from './cartesia-connection.js'
import type { CartesiaMessage } from './cartesia-message.js'
import { RemoteFailure } from './remote-failure.js'

export interface CartesiaSocket {
  /** Resolves when the socket is open. */
  connect(signal: AbortSignal): Promise<void>
  /** Sends a request in a new context and resolves when the context is done. An abort cancels it at once. */
  speak(request: object, signal: AbortSignal, onMessage: (message: CartesiaMessage) => void): Promise<void>
  close(): void
}

export const createCartesiaSocket = (options: CartesiaSocketOptions): CartesiaSocket => {
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
    connect: async (signal) => void (await connect(signal)),

    async speak(request, signal, onMessage) {
      const connection = await connect(signal)
      signal.throwIfAborted()
      await connection.speak(request, signal, onMessage)
    },

    close() {
      closed = true
      current?.terminate()
    },
  }
}
