import { webhooksContract } from '@parlance/contracts'
import { respond } from '../../http/json-response.js'
import { webhook } from '../../openapi/resource-schemas.js'
import { webhookAddressOf, webhookParameters } from '../path-parameters.js'
import { apiKey, json, type Route } from '../route.js'

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
