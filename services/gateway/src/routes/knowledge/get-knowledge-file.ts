import { knowledgeContract } from '@parlance/contracts'
import { forward } from '../../http/json-response.js'
import { knowledgeFile } from '../../openapi/resource-schemas.js'
import { knowledgeFileAddressOf, knowledgeFileParameters } from '../path-parameters.js'
import { apiKey, json, type Route } from '../route.js'

export const getKnowledgeFile: Route = {
  method: 'get',
  path: '/v1/agents/:agentId/knowledge/:fileId',
  authentication: apiKey('agents'),
  operationId: 'getKnowledgeFile',
  tag: 'Agents',
  summary: 'Read a file that an Agent answers from',
  description: 'Its name, its size and its `status`. The content is not kept once it is indexed.',
  request: { params: knowledgeFileParameters },
  responses: { 200: json('The file.', knowledgeFile) },
  calls: [knowledgeContract.methods.getFile],

  createHandler: ({ knowledge }) =>
    forward((req) => knowledge.raw.getFile(knowledgeFileAddressOf(req), { context: req.context })),
}
