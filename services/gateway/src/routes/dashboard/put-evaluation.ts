import { agentsContract, evaluationSchema } from '@parlance/contracts'
import { parseBody } from '../../http/json-body.js'
import { respond } from '../../http/json-response.js'
import { agentAddressOf, agentParameters } from '../path-parameters.js'
import { json, jsonBody, member, type Route } from '../route.js'

const example = {
  criteria: [{ name: 'Booked', description: 'A table was booked for the user.' }],
  data: [{ name: 'Guests', type: 'integer', description: 'The number of people for whom the table was booked.' }],
}

export const putEvaluation: Route = {
  method: 'put',
  path: '/dashboard/api/agents/:agentId/evaluation',
  authentication: member('member', 'agents'),
  operationId: 'putEvaluation',
  tag: 'Agents',
  summary: 'Set what is judged after the conversations of an Agent',
  description: 'For conversations that end from now on. It is not part of a revision: nothing has to be published.',
  request: { params: agentParameters, body: jsonBody(evaluationSchema, { example: { value: example } }) },
  responses: { 200: json('The evaluation.', evaluationSchema) },
  calls: [agentsContract.methods.getAgent],
  createHandler: ({ agents, sessions }) =>
    respond(200, async (req) => {
      const address = agentAddressOf(req)
      const evaluation = await parseBody(evaluationSchema, req)
      await agents.getAgent(address, { context: req.context })
      return sessions.putEvaluation({ ...address, evaluation }, { context: req.context })
    }),
}
