import { apiKeySchema } from '@parlance/contracts'
import { z } from 'zod'
import { principalOf } from '../../authentication/require-key.js'
import { sendResource } from '../../http/json-response.js'
import { json } from '../../openapi/content.js'
import { memberErrors } from '../../openapi/error-codes.js'
import { member, type Route } from '../route.js'

export const listKeys: Route = {
  method: 'get',
  path: '/dashboard/api/keys',
  authentication: member('admin'),
  operationId: 'listKeys',
  tag: 'Keys',
  summary: 'List the API keys, newest first',
  responses: { 200: json('OK', z.object({ keys: z.array(apiKeySchema.meta({ id: 'ApiKey' })) })) },
  errors: memberErrors,
  createHandler:
    ({ auth }) =>
    async (req, res) => {
      const { workspace_id } = principalOf(req)
      sendResource(req, res, 200, await auth.listKeys({ workspace_id }, { context: req.context }))
    },
}
