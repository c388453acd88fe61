import { newWebhookSchema, webhooksContract } from '@parlance/contracts'
import { z } from 'zod'
import { actorOf, principalOf } from '../../authentication/require-key.js'
import { parseBody } from '../../http/json-body.js'
import { sendResource } from '../../http/json-response.js'
import { createdWebhook } from '../../openapi/resource-schemas.js'
import { apiKey, json, jsonBody, type Route } from '../route.js'

const example = { url: 'https://example.com/hooks', events: ['agent.published', 'agent_session.ended'] }

const location = z.string().meta({ example: '/v1/webhooks/…' })

export const createWebhook: Route = {
  method: 'post',
  path: '/v1/webhooks',
  authentication: apiKey(),
  idempotency: {},
  operationId: 'createWebhook',
  tag: 'Webhooks',
  summary: 'Create a webhook',
  description: 'The address receives the events of these types that happen from now on.',
  request: { body: jsonBody(newWebhookSchema, { example: { value: example } }) },
  responses: { 201: json('The webhook, with its secret, which is shown this once.', createdWebhook, { location }) },
  calls: [webhooksContract.methods.createWebhook],

  createHandler:
    ({ webhooks }) =>
    async (req, res) => {
      const webhook = await parseBody(newWebhookSchema, req)
      const { workspace_id } = principalOf(req)
      const created = await webhooks.createWebhook(
        { workspace_id, webhook, actor: actorOf(req) },
        { context: req.context },
      )
      sendResource(req, res, 201, created, ['location', `/v1/webhooks/${created.id}`])
    },
}
