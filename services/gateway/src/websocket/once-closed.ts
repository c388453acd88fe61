import type { Duplex } from 'node:stream'

/** Calls back when the socket closes, or at once if it has closed already. */
export const onceClosed = (socket: Duplex, onClosed: () => void): void => {
  if (socket.closed) onClosed()
  else socket.once('close', onClosed)
}
