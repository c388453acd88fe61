/**
 * Installations of models: by the operator, and by the holder of a key on this machine, for whom the pages to try speech offer them.
 * The response has a line of JSON for each event.
 */
import { errorBody, type InstallEvent, installEventSchema, type ModelOffers, ServiceError } from '@parlance/contracts'
import type { Request, RequestHandler, Response } from 'express'
import { z } from 'zod'
import { principalOf } from '../../authentication/require-key.js'
import { hangUpSignal } from '../../http/connection-end.js'
import { parseBody } from '../../http/json-body.js'
import { apiHeaders } from '../../http/json-response.js'
import { apiKey, jsonBody, operator, type Route } from '../route.js'
import { checkLocalRequest } from './local-request.js'

const body = z.strictObject({
  name: z.string().min(1).max(100),
  /** The user has accepted the licenses of the model. */
  accept_license: z.literal(true),
})

const described: Pick<Route, 'request' | 'responses'> = {
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
const install = async (req: Request, res: Response, installer: Pick<ModelOffers, 'install'>): Promise<void> => {
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

const refuseInstallation: RequestHandler = () => {
  throw new ServiceError(
    'not_found',
    'This installation does not install models here. Use npx parlance models install.',
  )
}

export const installModel: Route = {
  method: 'post',
  path: '/dashboard/api/operator/models',
  authentication: operator,
  operationId: 'installModel',
  tag: 'Operations',
  summary: 'Install a model of the catalog',
  description: 'A client that hangs up stops the installation. The part that was downloaded is kept for the next one.',
  ...described,
  errors: ['concurrency_limited', 'upstream_error', 'draining'],
  createHandler: ({ modelAdministration }) =>
    modelAdministration === undefined ? refuseInstallation : (req, res) => install(req, res, modelAdministration),
}

/** Installs a model that a page offers, as `POST /operator/models` does for the operator. */
export const installOfferedModel: Route = {
  method: 'post',
  path: '/try/models',
  authentication: apiKey(),
  isUndocumented: true,
  operationId: 'installOfferedModel',
  tag: 'Operations',
  summary: 'Install an offered model',
  ...described,
  errors: ['forbidden_role', 'origin_not_allowed', 'not_found', 'upstream_error'],

  createHandler: ({ modelOffers }) =>
    modelOffers === undefined
      ? refuseInstallation
      : async (req, res) => {
          checkLocalRequest(req)
          if (principalOf(req).workspace_id !== (await modelOffers.findWorkspaceId())) {
            throw new ServiceError(
              'forbidden_role',
              'Only a key of the workspace that npm start created can install models.',
            )
          }
          await install(req, res, modelOffers)
        },
}
