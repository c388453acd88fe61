import { webhooksContract } from '@parlance/contracts'
import { respond } from '../../http/json-response.js'
import { json } from '../../openapi/content.js'
import { webhookParameters } from '../../openapi/parameters.js'
import { webhook } from '../../openapi/resource-schemas.js'
import { apiKey, type Route } from '../route.js'
import { webhookAddressOf } from './webhook-address.js'

export const getWebhook: Route = {
  method: 'get',
  path: '/v1/webhooks/:webhookId',
  authentication: apiKey(),
  operationId: 'getWebhook',
  tag: 'Webhooks',
  summary: 'Read a webhook',
  request: { params: webhookParameters },
  responses: { 200: json('The webhook.', webhook) },
  calls: [webhooksContract.methods.getWebhook],

  createHandler: ({ webhooks }) =>
    respond(200, (req) => webhooks.getWebhook(webhookAddressOf(req), { context: req.context })),
}
