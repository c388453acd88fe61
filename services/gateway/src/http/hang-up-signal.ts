import type { ServerResponse } from 'node:http'
import { onceClosed } from './once-closed.js'

/** Aborted when the connection is closed before the response is complete. */
export const hangUpSignal = (res: ServerResponse): AbortSignal => {
  const controller = new AbortController()
  onceClosed(res, () => {
    if (!res.writableFinished) controller.abort()
  })
  return controller.signal
}
