import { apiKeySchema, authContract, memberKeySchema } from '@parlance/contracts'
import { z } from 'zod'
import { principalOf } from '../../authentication/require-key.js'
import { respond } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { pageQuerySchema } from '../../openapi/parameters.js'
import { json, member, type Route } from '../route.js'

const page = z.object({
  keys: z.array(apiKeySchema.meta({ id: 'ApiKey' })),
  next_cursor: z.string().nullable(),
  member_keys: z.array(memberKeySchema),
})

export const listKeys: Route = {
  method: 'get',
  path: '/dashboard/api/keys',
  authentication: member('admin'),
  operationId: 'listKeys',
  tag: 'Keys',
  summary: 'List the API keys, newest first',
  description:
    '`member_keys`, only on the first page, are those to which the usage of people in the dashboard is attributed.',
  request: { query: pageQuerySchema },
  responses: { 200: json('A page of keys.', page) },
  calls: [authContract.methods.listKeys],
  createHandler: ({ auth }) =>
    respond(200, async (req) => {
      const { workspace_id } = principalOf(req)
      const request = { workspace_id, ...parseRequest(pageQuerySchema, req.query) }
      return auth.listKeys(request, { context: req.context })
    }),
}
