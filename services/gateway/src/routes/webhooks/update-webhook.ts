import { webhookPatchSchema, webhooksContract } from '@parlance/contracts'
import { actorOf } from '../../authentication/require-key.js'
import { parseBody } from '../../http/json-body.js'
import { respond } from '../../http/json-response.js'
import { webhook } from '../../openapi/resource-schemas.js'
import { webhookAddressOf, webhookParameters } from '../path-parameters.js'
import { apiKey, json, jsonBody, type Route } from '../route.js'

export const updateWebhook: Route = {
  method: 'patch',
  path: '/v1/webhooks/:webhookId',
  authentication: apiKey(),
  operationId: 'updateWebhook',
  tag: 'Webhooks',
  summary: 'Change a webhook',
  description:
    'Fields replace; a field that is left out does not change. Disabling a webhook gives up its pending deliveries, which can ' +
    'be replayed. Enabling it, or giving it another address, resets the count of its failures.',
  request: {
    params: webhookParameters,
    body: jsonBody(webhookPatchSchema, { example: { value: { events: ['credit.low'], enabled: true } } }),
  },
  responses: { 200: json('The webhook.', webhook) },
  calls: [webhooksContract.methods.updateWebhook],

  createHandler: ({ webhooks }) =>
    respond(200, async (req) => {
      const address = webhookAddressOf(req)
      const patch = await parseBody(webhookPatchSchema, req)
      const change = { ...address, patch, actor: actorOf(req) }
      return webhooks.updateWebhook(change, { context: req.context })
    }),
}
