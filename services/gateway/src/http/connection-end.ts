import type { ServerResponse } from 'node:http'
import type { Duplex, Readable, Writable } from 'node:stream'

/** How long a peer that reads nothing can delay the end of the last response. */
const sentWithinMs = 2_000

/**
 * Closes a socket once the response that ends it is sent. For sockets that Node's HTTP server has handed over: it no longer
 * listens for their errors nor limits their time, and `end` alone closes only our side, so that the connection would stay
 * open for as long as the peer likes.
 */
export const closeOnceSent = (socket: Duplex): void => {
  const cut = setTimeout(() => socket.destroy(), sentWithinMs)
  cut.unref()
  socket.on('error', () => socket.destroy())
  socket.once('finish', () => socket.destroy())
  socket.once('close', () => clearTimeout(cut))
}

/** Calls back when a socket, a request or a response closes, or at once if it has closed already. */
export const onceClosed = (stream: Duplex | Readable | Writable, onClosed: () => void): void => {
  if (stream.closed) onClosed()
  else stream.once('close', onClosed)
}

/** Aborted when the connection is closed before the response is complete. */
export const hangUpSignal = (res: ServerResponse): AbortSignal => {
  const controller = new AbortController()
  onceClosed(res, () => {
    if (!res.writableFinished) controller.abort()
  })
  return controller.signal
}
