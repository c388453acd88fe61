/**
 * Installations of models: by the operator, and by the holder of a key on this machine, for whom the pages to try speech offer them.
 * The response has a line of JSON for each event.
 */
import { errorBody, type InstallEvent, installEventSchema, type ModelOffers, ServiceError } from '@parlance/contracts'
import type { Request, RequestHandler, Response } from 'express'
import { z } from 'zod'
import { hangUpSignal } from '../../http/connection-end.js'
import { parseBody } from '../../http/json-body.js'
import { apiHeaders } from '../../http/json-response.js'
import { jsonBody, type Route } from '../route.js'

const body = z.strictObject({
  name: z.string().min(1).max(100),
  /** The user has accepted the licenses of the model. */
  accept_license: z.literal(true),
})

/** What both routes document alike. */
export const installation: Pick<Route, 'request' | 'responses'> = {
  request: { body: jsonBody(body, { voice: { value: { name: 'en_US-joe-medium', accept_license: true } } }) },
  responses: {
    200: {
      description: 'A line of JSON for each event; the last one is `installed` or `error`.',
      content: { 'application/x-ndjson': { schema: installEventSchema.meta({ id: 'InstallEvent' }) } },
    },
  },
}

/** The interval of keep-alive lines: measuring a model takes longer than the idle timeout of a connection. */
const keepAliveMs = 10_000

/** An error after the first event is the last line. A client that hangs up stops the installation. */
export const install = async (req: Request, res: Response, installer: Pick<ModelOffers, 'install'>): Promise<void> => {
  const { name } = await parseBody(body, req)
  const onEvent = (event: InstallEvent) => {
    // The first event is the status: an installation that is refused before has an error instead.
    if (!res.headersSent) res.writeHead(200, apiHeaders(req.id, 'application/x-ndjson', 'no-store'))
    res.write(`${JSON.stringify(event)}\n`)
  }
  res.endWithError = (failure) => res.end(`${JSON.stringify(errorBody(failure, req.id))}\n`)
  const keepAlive = setInterval(() => res.headersSent && res.write('\n'), keepAliveMs)
  await installer.install(name, onEvent, hangUpSignal(res)).finally(() => clearInterval(keepAlive))
  res.end()
}

export const refuseInstallation: RequestHandler = () => {
  throw new ServiceError(
    'not_found',
    'This installation does not install models here. Use npx parlance models install.',
  )
}
