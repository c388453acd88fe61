import { agentsContract } from '@parlance/contracts'
import { agent, etagHeader } from '../../openapi/resource-schemas.js'
import { agentAddressOf, agentParameters } from '../path-parameters.js'
import { apiKey, json, type Route } from '../route.js'
import { sendAgent } from './revision-etag.js'

export const getAgent: Route = {
  method: 'get',
  path: '/v1/agents/:agentId',
  authentication: apiKey('agents'),
  operationId: 'getAgent',
  tag: 'Agents',
  summary: 'Read an Agent',
  request: { params: agentParameters },
  responses: { 200: json('The Agent.', agent, etagHeader) },
  calls: [agentsContract.methods.getAgent],

  createHandler:
    ({ agents }) =>
    async (req, res) => {
      sendAgent(req, res, 200, await agents.getAgent(agentAddressOf(req), { context: req.context }))
    },
}
