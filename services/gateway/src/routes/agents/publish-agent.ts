import { agentSchema, agentsContract, publishCheckSchema, publishRequestSchema } from '@parlance/contracts'
import { z } from 'zod'
import { actorOf } from '../../authentication/require-key.js'
import { parseOptionalBody } from '../../http/json-body.js'
import { sendResource } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { ifMatchHeader, publication } from '../../openapi/resource-schemas.js'
import { agentAddressOf, agentParameters } from '../path-parameters.js'
import { apiKey, json, jsonBody, type Route } from '../route.js'
import { expectedVersionOf } from './revision-etag.js'

const query = z.strictObject({ dry_run: z.enum(['true', 'false']).optional() })

const published = publication.extend(agentSchema.pick({ api_ready: true }).shape).meta({ id: 'Published' })

export const publishAgent: Route = {
  method: 'post',
  path: '/v1/agents/:agentId/publish',
  authentication: apiKey('agents'),
  idempotency: {},
  operationId: 'publishAgent',
  tag: 'Agents',
  summary: 'Publish an Agent',
  description:
    'Publishes the draft, or an older revision to go back to it. `dry_run=true` only checks whether it could be published. An Agent without a TTS variant can be published, but no session tokens are minted for it: `api_ready` is false then.',
  request: {
    params: agentParameters,
    query,
    headers: ifMatchHeader,
    body: jsonBody(publishRequestSchema, { example: { value: {} } }, false),
  },
  responses: {
    200: json(
      'The active publication, which is already of this revision; with `dry_run`, the problems that prevent publishing, and warnings.',
      z.union([published, publishCheckSchema.meta({ id: 'PublishCheck' })]),
    ),
    201: json('The new publication.', published),
  },
  calls: [agentsContract.methods.checkPublish, agentsContract.methods.publishAgent],

  createHandler:
    ({ agents }) =>
    async (req, res) => {
      const { context } = req
      const address = agentAddressOf(req)
      const { dry_run } = parseRequest(query, req.query)
      const { revision_id = null } = await parseOptionalBody(publishRequestSchema, req)
      const request = { ...address, expected_version: expectedVersionOf(req), revision_id }
      if (dry_run === 'true') {
        sendResource(req, res, 200, await agents.checkPublish(request, { context }))
        return
      }
      const { publication, created, api_ready } = await agents.publishAgent(
        { ...request, actor: actorOf(req) },
        { context },
      )
      sendResource(req, res, created ? 201 : 200, { ...publication, api_ready })
    },
}
