import { knowledgeContract, knowledgePageSchema } from '@parlance/contracts'
import { z } from 'zod'
import { forward } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { orderedPageQuerySchema } from '../../openapi/parameters.js'
import { knowledgeFile } from '../../openapi/resource-schemas.js'
import { agentAddressOf, agentParameters } from '../path-parameters.js'
import { apiKey, json, type Route } from '../route.js'

const page = knowledgePageSchema.extend({ files: z.array(knowledgeFile) })

export const listKnowledgeFiles: Route = {
  method: 'get',
  path: '/v1/agents/:agentId/knowledge',
  authentication: apiKey('agents'),
  operationId: 'listKnowledgeFiles',
  tag: 'Agents',
  summary: 'List the files that an Agent answers from',
  request: { params: agentParameters, query: orderedPageQuerySchema },
  responses: { 200: json('A page of files.', page) },
  calls: [knowledgeContract.methods.listFiles],

  createHandler: ({ knowledge }) =>
    forward(async (req) => {
      const request = { ...agentAddressOf(req), ...parseRequest(orderedPageQuerySchema, req.query) }
      return knowledge.raw.listFiles(request, { context: req.context })
    }),
}
