import { sessionsContract } from '@parlance/contracts'
import { actorOf } from '../../authentication/require-key.js'
import { respondNothing } from '../../http/json-response.js'
import { sessionAddressOf, sessionParameters } from '../path-parameters.js'
import { apiKey, type Route } from '../route.js'

export const deleteSession: Route = {
  method: 'delete',
  path: '/v1/agent-sessions/:sessionId',
  authentication: apiKey('agents'),
  operationId: 'deleteSession',
  tag: 'Sessions',
  summary: 'Delete a conversation',
  description:
    'Deletes its record, its messages and its recording. A live conversation is ended first, with `api_ended`.',
  request: { params: sessionParameters },
  responses: { 204: { description: 'The conversation was deleted.' } },
  calls: [sessionsContract.methods.deleteSession],

  createHandler: ({ sessions }) =>
    respondNothing(async (req) => {
      const request = { ...sessionAddressOf(req), actor: actorOf(req) }
      await sessions.deleteSession(request, { context: req.context })
    }),
}
