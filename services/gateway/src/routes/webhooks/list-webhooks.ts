import { webhookPageSchema, webhooksContract } from '@parlance/contracts'
import { z } from 'zod'
import { principalOf } from '../../authentication/require-key.js'
import { forward } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { orderedPageQuerySchema } from '../../openapi/parameters.js'
import { webhook } from '../../openapi/resource-schemas.js'
import { apiKey, json, type Route } from '../route.js'

const page = webhookPageSchema.extend({ webhooks: z.array(webhook) })

export const listWebhooks: Route = {
  method: 'get',
  path: '/v1/webhooks',
  authentication: apiKey(),
  operationId: 'listWebhooks',
  tag: 'Webhooks',
  summary: 'List webhooks',
  request: { query: orderedPageQuerySchema },
  responses: { 200: json('A page of webhooks.', page) },
  calls: [webhooksContract.methods.listWebhooks],

  createHandler: ({ webhooks }) =>
    forward(async (req) => {
      const { workspace_id } = principalOf(req)
      const request = { workspace_id, ...parseRequest(orderedPageQuerySchema, req.query) }
      return webhooks.raw.listWebhooks(request, { context: req.context })
    }),
}
