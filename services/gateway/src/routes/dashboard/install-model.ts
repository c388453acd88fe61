import { installEventSchema, ServiceError } from '@parlance/contracts'
import { z } from 'zod'
import { respondToInstall } from '../../http/install-response.js'
import { parseBody } from '../../http/json-body.js'
import { jsonBody, operator, type Route } from '../route.js'

const body = z.strictObject({
  name: z.string().min(1).max(100),
  /** The operator has accepted the license of the model. */
  accept_license: z.literal(true),
})

const modelsNotHere = () =>
  new ServiceError('not_found', 'This installation does not install models here. Use npx parlance models install.')

export const installModel: Route = {
  method: 'post',
  path: '/dashboard/api/operator/models',
  authentication: operator,
  operationId: 'installModel',
  tag: 'Operations',
  summary: 'Install a model of the catalog',
  description: 'A client that hangs up stops the installation. The part that was downloaded is kept for the next one.',
  request: { body: jsonBody(body, { voice: { value: { name: 'en_US-joe-medium', accept_license: true } } }) },
  responses: {
    200: {
      description: 'A line of JSON for each event; the last one is `installed` or `error`.',
      content: { 'application/x-ndjson': { schema: installEventSchema.meta({ id: 'InstallEvent' }) } },
    },
  },
  errors: ['concurrency_limited', 'upstream_error', 'draining'],
  createHandler:
    ({ modelAdministration }) =>
    async (req, res) => {
      const { name } = await parseBody(body, req)
      if (modelAdministration === undefined) throw modelsNotHere()
      await respondToInstall(req, res, (onEvent, signal) => modelAdministration.install(name, onEvent, signal))
    },
}
