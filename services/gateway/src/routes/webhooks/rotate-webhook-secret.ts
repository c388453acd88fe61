import { webhooksContract } from '@parlance/contracts'
import { actorOf } from '../../authentication/require-key.js'
import { respond } from '../../http/json-response.js'
import { rotatedWebhook } from '../../openapi/resource-schemas.js'
import { webhookAddressOf, webhookParameters } from '../path-parameters.js'
import { apiKey, json, type Route } from '../route.js'

export const rotateWebhookSecret: Route = {
  method: 'post',
  path: '/v1/webhooks/:webhookId/rotate-secret',
  authentication: apiKey(),
  idempotency: {},
  operationId: 'rotateWebhookSecret',
  tag: 'Webhooks',
  summary: 'Make a new secret',
  description:
    'For 24 hours requests are signed with the earlier secrets as well, so that receivers have time to change.',
  request: { params: webhookParameters },
  responses: { 200: json('The webhook, with its new secret, which is shown this once.', rotatedWebhook) },
  calls: [webhooksContract.methods.rotateSecret],

  createHandler: ({ webhooks }) =>
    respond(200, async (req) => {
      const request = { ...webhookAddressOf(req), actor: actorOf(req) }
      return webhooks.rotateSecret(request, { context: req.context })
    }),
}
