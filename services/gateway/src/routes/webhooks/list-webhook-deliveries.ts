import { deliveryPageSchema, deliveryStatusSchema, webhooksContract } from '@parlance/contracts'
import { z } from 'zod'
import { forward } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { orderedPageQuerySchema } from '../../openapi/parameters.js'
import { webhookDelivery } from '../../openapi/resource-schemas.js'
import { webhookAddressOf, webhookParameters } from '../path-parameters.js'
import { apiKey, json, type Route } from '../route.js'

const query = orderedPageQuerySchema.extend({ status: deliveryStatusSchema.optional() })
const page = deliveryPageSchema.extend({ deliveries: z.array(webhookDelivery) })

export const listWebhookDeliveries: Route = {
  method: 'get',
  path: '/v1/webhooks/:webhookId/deliveries',
  authentication: apiKey(),
  operationId: 'listWebhookDeliveries',
  tag: 'Webhooks',
  summary: 'List the deliveries of a webhook',
  description: 'Each with its last seven attempts. Deliveries are kept for 30 days.',
  request: { params: webhookParameters, query },
  responses: { 200: json('A page of deliveries.', page) },
  calls: [webhooksContract.methods.listDeliveries],

  createHandler: ({ webhooks }) =>
    forward(async (req) => {
      const request = { ...webhookAddressOf(req), ...parseRequest(query, req.query) }
      return webhooks.raw.listDeliveries(request, { context: req.context })
    }),
}
