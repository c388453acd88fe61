import { errorBody, type InstallEvent } from '@parlance/contracts'
import type { Request, Response } from 'express'
import { hangUpSignal } from './connection-end.js'
import { apiHeaders } from './json-response.js'

/** The interval of keep-alive lines: measuring a model takes longer than the idle timeout of a connection. */
const keepAliveMs = 10_000

export type Install = (onEvent: (event: InstallEvent) => void, signal: AbortSignal) => Promise<void>

/**
 * Responds to an installation with a line of JSON for each event. An error after the first event is the last line. A client
 * that hangs up aborts the signal. Rejects as `install` does.
 */
export const respondToInstall = async (req: Request, res: Response, install: Install): Promise<void> => {
  const onEvent = (event: InstallEvent) => {
    // The first event is the status: an installation that is refused before has an error instead.
    if (!res.headersSent) res.writeHead(200, apiHeaders(req.id, 'application/x-ndjson', 'no-store'))
    res.write(`${JSON.stringify(event)}\n`)
  }
  res.endWithError = (failure) => res.end(`${JSON.stringify(errorBody(failure, req.id))}\n`)
  const keepAlive = setInterval(() => res.headersSent && res.write('\n'), keepAliveMs)
  await install(onEvent, hangUpSignal(res)).finally(() => clearInterval(keepAlive))
  res.end()
}
