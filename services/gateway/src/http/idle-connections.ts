import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'

/**
 * The response of a connection that has not been handed to the kernel completely, or undefined. It decides whether the
 * connection may be written to or closed. Node keeps it in a private field of the socket and has no public way to read it.
 */
export const responseInProgress = (socket: Duplex): ServerResponse | undefined =>
  (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined

/**
 * Resolves after the event loop has accepted the connections and read the data that the kernel holds now. The first
 * immediate may run before the loop asks the kernel again, the second one does not.
 */
export const kernelRead = async (): Promise<void> => {
  await setImmediate()
  await setImmediate()
}

/**
 * `close` closes the connections of a server that stops on which no response was in progress and nothing was received for
 * `keepIdleMs`.
 *
 * A request that is sent while its connection is being closed is lost, and the client cannot know whether it was processed. So
 * `close` first reads what has arrived, as a busy process may call it late.
 */
export const createIdleConnections = (sockets: ReadonlySet<Socket>, keepIdleMs: number) => {
  const activity = new WeakMap<Socket, { readonly bytesRead: number; readonly atMs: number }>()

  const isIdle = (socket: Socket, nowMs: number): boolean => {
    const { bytesRead } = socket
    const last = activity.get(socket)
    if (last?.bytesRead === bytesRead && responseInProgress(socket) === undefined) {
      return nowMs - last.atMs >= keepIdleMs
    }
    activity.set(socket, { bytesRead, atMs: nowMs })
    return false
  }

  return {
    async close(): Promise<void> {
      const nowMs = performance.now()
      await kernelRead()
      for (const socket of sockets) if (isIdle(socket, nowMs)) socket.destroy()
    },
  }
}
