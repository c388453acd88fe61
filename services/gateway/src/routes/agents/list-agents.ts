import { agentPageSchema, agentsContract, storableTextSchema } from '@parlance/contracts'
import { z } from 'zod'
import { principalOf } from '../../authentication/require-key.js'
import { forward } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { orderedPageQuerySchema } from '../../openapi/parameters.js'
import { agent } from '../../openapi/resource-schemas.js'
import { apiKey, json, type Route } from '../route.js'

const searchText = storableTextSchema.max(200)

const query = orderedPageQuerySchema.extend({
  slug: searchText.optional(),
  state: z.enum(['draft', 'published']).optional(),
  q: searchText.optional(),
})

export const listAgents: Route = {
  method: 'get',
  path: '/v1/agents',
  authentication: apiKey('agents'),
  operationId: 'listAgents',
  tag: 'Agents',
  summary: 'List the Agents',
  description: 'Also how a slug is resolved to an `id`.',
  request: { query },
  responses: { 200: json('A page of Agents.', agentPageSchema.extend({ agents: z.array(agent) })) },
  calls: [agentsContract.methods.listAgents],

  createHandler: ({ agents }) =>
    forward(async (req) => {
      const { workspace_id } = principalOf(req)
      const request = { workspace_id, ...parseRequest(query, req.query) }
      return agents.raw.listAgents(request, { context: req.context })
    }),
}
