import { sessionsContract } from '@parlance/contracts'
import { actorOf } from '../../authentication/require-key.js'
import { respondNothing } from '../../http/json-response.js'
import { sessionAddressOf, sessionParameters } from '../path-parameters.js'
import { member, type Route } from '../route.js'

/** Members who may delete a conversation may end it, since deletion ends it too. */
export const endLiveSession: Route = {
  method: 'post',
  path: '/dashboard/api/agent-sessions/:sessionId/end',
  authentication: member('member', 'agents'),
  operationId: 'endLiveSession',
  tag: 'Sessions',
  summary: 'End a live conversation',
  description: 'With `api_ended`. The record stays, and the audit log has an entry `conversation.ended`.',
  request: { params: sessionParameters },
  responses: { 204: { description: 'The conversation is over.' } },
  calls: [sessionsContract.methods.endSession],
  createHandler: ({ sessions }) =>
    respondNothing(async (req) => {
      const request = { ...sessionAddressOf(req), actor: actorOf(req) }
      await sessions.endSession(request, { context: req.context })
    }),
}
