import { sessionsContract } from '@parlance/contracts'
import { forward } from '../../http/json-response.js'
import { sessionAddressOf, sessionParameters } from '../path-parameters.js'
import { json, member, type Route } from '../route.js'

export const getAnalysis: Route = {
  method: 'get',
  path: '/dashboard/api/agent-sessions/:sessionId/analysis',
  authentication: member('member', 'agents'),
  operationId: 'getAnalysis',
  tag: 'Sessions',
  summary: 'Read what the Agent’s model judged of a conversation after its end',
  description:
    'Null when the Agent had no evaluation at the end of the conversation, or no message of the user is stored.',
  request: { params: sessionParameters },
  responses: { 200: json('The analysis.', sessionsContract.methods.getAnalysis.reply) },
  calls: [sessionsContract.methods.getAnalysis],
  createHandler: ({ sessions }) =>
    forward((req) => sessions.raw.getAnalysis(sessionAddressOf(req), { context: req.context })),
}
