import type { Duplex } from 'node:stream'

/** How long a peer that reads nothing can keep the last response from being sent. */
const sentWithinMs = 2_000

/**
 * Closes a socket once the response that ends it is sent. For sockets that Node's HTTP server has handed over: it no longer
 * listens for their errors nor limits their time, and `end` alone closes only our side, so that the connection stays open for
 * as long as the peer likes.
 */
export const closeOnceSent = (socket: Duplex): void => {
  const cut = setTimeout(() => socket.destroy(), sentWithinMs)
  cut.unref()
  socket.on('error', () => socket.destroy())
  socket.once('finish', () => socket.destroy())
  socket.once('close', () => clearTimeout(cut))
}
