import { installEventSchema, type ModelOffers, ServiceError } from '@parlance/contracts'
import type { RequestHandler } from 'express'
import { z } from 'zod'
import { principalOf } from '../../authentication/require-key.js'
import { respondToInstall } from '../../http/install-response.js'
import { parseBody } from '../../http/json-body.js'
import { apiKey, jsonBody, type Route } from '../route.js'
import { checkLocalRequest } from './local-request.js'

const body = z.strictObject({
  name: z.string().min(1).max(100),
  /** The user has accepted the licenses of the model. */
  accept_license: z.literal(true),
})

const notHere = () =>
  new ServiceError('not_found', 'This installation does not install models here. Use npx parlance models install.')

const createInstall =
  (offers: ModelOffers): RequestHandler =>
  async (req, res) => {
    checkLocalRequest(req)
    if (principalOf(req).workspace_id !== (await offers.findWorkspaceId())) {
      throw new ServiceError('forbidden_role', 'Only a key of the workspace that npm start created can install models.')
    }
    const { name } = await parseBody(body, req)
    await respondToInstall(req, res, (onEvent, signal) => offers.install(name, onEvent, signal))
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
  request: { body: jsonBody(body, { voice: { value: { name: 'en_US-joe-medium', accept_license: true } } }) },
  responses: {
    200: {
      description: 'A line of JSON for each event; the last one is `installed` or `error`.',
      content: { 'application/x-ndjson': { schema: installEventSchema } },
    },
  },
  errors: ['forbidden_role', 'origin_not_allowed', 'not_found', 'upstream_error'],

  createHandler: ({ modelOffers }) =>
    modelOffers === undefined ? () => Promise.reject(notHere()) : createInstall(modelOffers),
}
