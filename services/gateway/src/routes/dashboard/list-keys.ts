import { apiKeySchema, memberKeySchema } from '@parlance/contracts'
import { z } from 'zod'
import { principalOf } from '../../authentication/require-key.js'
import { sendResource } from '../../http/json-response.js'
import { json } from '../../openapi/content.js'
import { memberErrors } from '../../openapi/error-codes.js'
import { member, type Route } from '../route.js'

const reply = z.object({ keys: z.array(apiKeySchema.meta({ id: 'ApiKey' })), member_keys: z.array(memberKeySchema) })

export const listKeys: Route = {
  method: 'get',
  path: '/dashboard/api/keys',
  authentication: member('admin'),
  operationId: 'listKeys',
  tag: 'Keys',
  summary: 'List the API keys, newest first',
  description: '`member_keys` names for whom usage is listed that no API key caused.',
  responses: { 200: json('OK', reply) },
  errors: memberErrors,
  createHandler:
    ({ auth }) =>
    async (req, res) => {
      const { workspace_id } = principalOf(req)
      sendResource(req, res, 200, await auth.listKeys({ workspace_id }, { context: req.context }))
    },
}
