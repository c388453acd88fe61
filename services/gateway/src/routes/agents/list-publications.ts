import { agentsContract, publicationPageSchema } from '@parlance/contracts'
import { z } from 'zod'
import { forward } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { orderedPageQuerySchema } from '../../openapi/parameters.js'
import { publication } from '../../openapi/resource-schemas.js'
import { agentAddressOf, agentParameters } from '../path-parameters.js'
import { apiKey, json, type Route } from '../route.js'

const page = publicationPageSchema.extend({ publications: z.array(publication) })

export const listPublications: Route = {
  method: 'get',
  path: '/v1/agents/:agentId/publications',
  authentication: apiKey('agents'),
  operationId: 'listPublications',
  tag: 'Agents',
  summary: 'List the publications of an Agent',
  request: { params: agentParameters, query: orderedPageQuerySchema },
  responses: { 200: json('A page of publications.', page) },
  calls: [agentsContract.methods.listPublications],

  createHandler: ({ agents }) =>
    forward(async (req) => {
      const request = { ...agentAddressOf(req), ...parseRequest(orderedPageQuerySchema, req.query) }
      return agents.raw.listPublications(request, { context: req.context })
    }),
}
