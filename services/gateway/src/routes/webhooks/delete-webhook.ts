import { webhooksContract } from '@parlance/contracts'
import { actorOf } from '../../authentication/require-key.js'
import { respondNothing } from '../../http/json-response.js'
import { webhookAddressOf, webhookParameters } from '../path-parameters.js'
import { apiKey, type Route } from '../route.js'

export const deleteWebhook: Route = {
  method: 'delete',
  path: '/v1/webhooks/:webhookId',
  authentication: apiKey(),
  operationId: 'deleteWebhook',
  tag: 'Webhooks',
  summary: 'Delete a webhook',
  description: 'Also deletes its deliveries. Pending deliveries are not sent.',
  request: { params: webhookParameters },
  responses: { 204: { description: 'The webhook was deleted.' } },
  calls: [webhooksContract.methods.deleteWebhook],

  createHandler: ({ webhooks }) =>
    respondNothing((req) =>
      webhooks.deleteWebhook({ ...webhookAddressOf(req), actor: actorOf(req) }, { context: req.context }),
    ),
}
