import { webhooksContract } from '@parlance/contracts'
import { respond } from '../../http/json-response.js'
import { idParameterOf } from '../../http/parsed-request.js'
import { webhookDelivery } from '../../openapi/resource-schemas.js'
import { deliveryParameters, webhookAddressOf } from '../path-parameters.js'
import { apiKey, json, type Route } from '../route.js'

export const replayWebhookDelivery: Route = {
  method: 'post',
  path: '/v1/webhooks/:webhookId/deliveries/:deliveryId/replay',
  authentication: apiKey(),
  idempotency: {},
  operationId: 'replayWebhookDelivery',
  tag: 'Webhooks',
  summary: 'Deliver an event again',
  description:
    'The same event, with the same id, is sent at once, and again on the schedule if that fails. A webhook that is disabled ' +
    'must be enabled first.',
  request: { params: deliveryParameters },
  responses: { 202: json('The delivery, whose attempt is due.', webhookDelivery) },
  calls: [webhooksContract.methods.replayDelivery],

  createHandler: ({ webhooks }) =>
    respond(202, async (req) => {
      const address = webhookAddressOf(req)
      const delivery_id = idParameterOf(req, 'deliveryId', 'not_found', 'There is no such delivery.')
      return webhooks.replayDelivery({ ...address, delivery_id }, { context: req.context })
    }),
}
