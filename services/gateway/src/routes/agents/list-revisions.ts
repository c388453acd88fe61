import { agentsContract, revisionPageSchema, revisionSchema } from '@parlance/contracts'
import { z } from 'zod'
import { forward } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { orderedPageQuerySchema } from '../../openapi/parameters.js'
import { agentAddressOf, agentParameters } from '../path-parameters.js'
import { apiKey, json, type Route } from '../route.js'

const page = revisionPageSchema.extend({ revisions: z.array(revisionSchema.meta({ id: 'Revision' })) })

export const listRevisions: Route = {
  method: 'get',
  path: '/v1/agents/:agentId/revisions',
  authentication: apiKey('agents'),
  operationId: 'listRevisions',
  tag: 'Agents',
  summary: 'List the revisions of an Agent',
  request: { params: agentParameters, query: orderedPageQuerySchema },
  responses: { 200: json('A page of revisions.', page) },
  calls: [agentsContract.methods.listRevisions],

  createHandler: ({ agents }) =>
    forward(async (req) => {
      const request = { ...agentAddressOf(req), ...parseRequest(orderedPageQuerySchema, req.query) }
      return agents.raw.listRevisions(request, { context: req.context })
    }),
}
