import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Returns a promise when the buffer of `res` is full, which resolves when it has drained: a slow client slows down the
 * producer.
 */
export const writePart = (res: ServerResponse, part: Uint8Array | string, signal: AbortSignal): void | Promise<void> =>
  res.write(part) ? undefined : drained(res, signal)

/** A server-sent event: its name, and its data, which is sent as JSON. */
export const printEvent = ([name, data]: readonly [name: string, data: object]): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** The idle timeouts of connections on which they are disabled now, in ms. */
const lifted = new WeakMap<Socket, number>()

/**
 * Disables the timeout of an idle connection during `work`, which may send nothing for a long time. A client that does not
 * read is still disconnected (`drained`).
 */
export const withoutIdleLimit = async <Result>(socket: Socket, work: () => Promise<Result>): Promise<Result> => {
  const limitMs = socket.timeout ?? 0
  lifted.set(socket, limitMs)
  socket.setTimeout(0)
  try {
    return await work()
  } finally {
    lifted.delete(socket)
    socket.setTimeout(limitMs)
  }
}

/** Resolves when the client has read what was sent. Rejects when `signal` is aborted, as it is when the connection is cut. */
export const drained = async (res: ServerResponse, signal: AbortSignal): Promise<void> => {
  const { socket } = res
  const limitMs = socket === null ? undefined : lifted.get(socket)
  if (limitMs !== undefined) socket?.setTimeout(limitMs)
  try {
    await once(res, 'drain', { signal })
  } finally {
    if (limitMs !== undefined) socket?.setTimeout(0)
  }
}
