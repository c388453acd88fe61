import { installableModelSchema } from '@parlance/contracts'
import { z } from 'zod'
import { sendResource } from '../../http/json-response.js'
import { json } from '../../openapi/content.js'
import { operatorErrors } from '../../openapi/error-codes.js'
import { operator, type Route } from '../route.js'

const reply = z.object({ models: z.array(installableModelSchema.meta({ id: 'InstallableModel' })) })

export const listInstallableModels: Route = {
  method: 'get',
  path: '/dashboard/api/operator/model-catalogue',
  authentication: operator,
  operationId: 'listInstallableModels',
  tag: 'Operations',
  summary: 'List the models that can be installed, with their licences',
  responses: { 200: json('OK', reply) },
  errors: operatorErrors,
  createHandler:
    ({ modelAdministration }) =>
    async (req, res) =>
      sendResource(req, res, 200, { models: (await modelAdministration?.listInstallable()) ?? [] }),
}
