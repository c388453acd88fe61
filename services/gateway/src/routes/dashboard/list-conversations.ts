import { endReasonSchema, sessionsContract, storableTextSchema } from '@parlance/contracts'
import { principalOf } from '../../authentication/require-key.js'
import { forward } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { sessionPageSchema, sessionQuerySchema } from '../agent-sessions/list-sessions.js'
import { json, member, type Route } from '../route.js'

const query = sessionQuerySchema.extend({
  end_reason: endReasonSchema.optional(),
  text: storableTextSchema.min(1).max(200).optional(),
})

export const listConversations: Route = {
  method: 'get',
  path: '/dashboard/api/agent-sessions',
  authentication: member('member', 'agents'),
  operationId: 'listConversations',
  tag: 'Sessions',
  summary: 'Find conversations, also by what was said in them and by why they ended',
  description: '`text` is a part of a message, in upper or lower case.',
  request: { query },
  responses: { 200: json('A page of conversations, live and past.', sessionPageSchema) },
  calls: [sessionsContract.methods.listSessions],
  createHandler: ({ sessions }) =>
    forward(async (req) => {
      const request = { workspace_id: principalOf(req).workspace_id, ...parseRequest(query, req.query) }
      return sessions.raw.listSessions(request, { context: req.context })
    }),
}
