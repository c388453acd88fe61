import type { ServerResponse } from 'node:http'
import type { Duplex, Readable, Writable } from 'node:stream'

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
