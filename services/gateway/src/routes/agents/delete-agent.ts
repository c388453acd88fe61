import { agentsContract } from '@parlance/contracts'
import { actorOf } from '../../authentication/require-key.js'
import { respondNothing } from '../../http/json-response.js'
import { ifMatchHeader } from '../../openapi/resource-schemas.js'
import { agentAddressOf, agentParameters } from '../path-parameters.js'
import { apiKey, type Route } from '../route.js'
import { expectedVersionOf } from './revision-etag.js'

export const deleteAgent: Route = {
  method: 'delete',
  path: '/v1/agents/:agentId',
  authentication: apiKey('agents'),
  operationId: 'deleteAgent',
  tag: 'Agents',
  summary: 'Delete an Agent',
  request: { params: agentParameters, headers: ifMatchHeader },
  responses: { 204: { description: 'The Agent was deleted. Its slug can be reused.' } },
  calls: [agentsContract.methods.deleteAgent],

  createHandler: ({ agents }) =>
    respondNothing(async (req) => {
      const request = { ...agentAddressOf(req), expected_version: expectedVersionOf(req), actor: actorOf(req) }
      await agents.deleteAgent(request, { context: req.context })
    }),
}
