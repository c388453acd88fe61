import { knowledgeContract } from '@parlance/contracts'
import { respondNothing } from '../../http/json-response.js'
import { knowledgeFileAddressOf, knowledgeFileParameters } from '../path-parameters.js'
import { apiKey, type Route } from '../route.js'

export const deleteKnowledgeFile: Route = {
  method: 'delete',
  path: '/v1/agents/:agentId/knowledge/:fileId',
  authentication: apiKey('agents'),
  operationId: 'deleteKnowledgeFile',
  tag: 'Agents',
  summary: 'Delete a file that an Agent answers from',
  description:
    'It is removed from the draft, and no conversation finds it any more, live ones included. Records of conversations keep the ' +
    'passages that they quote.',
  request: { params: knowledgeFileParameters },
  responses: { 204: { description: 'The file was deleted.' } },
  calls: [knowledgeContract.methods.deleteFile],

  createHandler: ({ knowledge }) =>
    respondNothing(async (req) => {
      await knowledge.deleteFile(knowledgeFileAddressOf(req), { context: req.context })
    }),
}
