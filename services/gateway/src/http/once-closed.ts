import type { Writable } from 'node:stream'

/** Calls back when a socket or a response closes, or at once if it has closed already. */
export const onceClosed = (stream: Writable, onClosed: () => void): void => {
  if (stream.closed) onClosed()
  else stream.once('close', onClosed)
}
