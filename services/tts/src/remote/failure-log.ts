import type { Logger } from '@parlance/telemetry'
import type { RemoteFailure } from './remote-failure.js'

const maxLines = 20
const periodMs = 60_000

/** Logs failures, at most 20 lines a minute, so that a failing server does not fill the disk. */
export const createFailureLog = (logger: Logger) => {
  let periodStart = Number.NEGATIVE_INFINITY
  let lines = 0
  let unlogged = 0

  return (failure: RemoteFailure, message: string): void => {
    const now = performance.now()
    if (now - periodStart > periodMs) {
      if (unlogged > 0) logger.warn({ count: unlogged }, 'More failures of the speech server were not logged')
      periodStart = now
      lines = 0
      unlogged = 0
    }
    if (lines++ < maxLines) logger.warn({ err: failure, code: failure.kind }, message)
    else unlogged++
  }
}
