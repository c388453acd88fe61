import { agentsContract, evaluationSchema } from '@parlance/contracts'
import { forward } from '../../http/json-response.js'
import { agentAddressOf, agentParameters } from '../path-parameters.js'
import { json, member, type Route } from '../route.js'

export const getEvaluation: Route = {
  method: 'get',
  path: '/dashboard/api/agents/:agentId/evaluation',
  authentication: member('member', 'agents'),
  operationId: 'getEvaluation',
  tag: 'Agents',
  summary: 'Read what is judged after the conversations of an Agent',
  request: { params: agentParameters },
  responses: { 200: json('The evaluation.', evaluationSchema) },
  calls: [agentsContract.methods.getAgent],
  createHandler: ({ agents, sessions }) =>
    forward(async (req) => {
      const address = agentAddressOf(req)
      await agents.getAgent(address, { context: req.context })
      return sessions.raw.getEvaluation(address, { context: req.context })
    }),
}
