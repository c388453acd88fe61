import { sessionsContract } from '@parlance/contracts'
import { z } from 'zod'
import { forward } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { pageQuerySchema } from '../../openapi/parameters.js'
import { sessionAddressOf, sessionParameters } from '../path-parameters.js'
import { json, member, type Route } from '../route.js'

const { turns } = sessionsContract.methods.listTurns.reply.shape
const page = z.object({ turns: z.array(turns.element.meta({ id: 'Turn' })), next_cursor: z.string().nullable() })

export const listTurns: Route = {
  method: 'get',
  path: '/dashboard/api/agent-sessions/:sessionId/turns',
  authentication: member('member', 'agents'),
  operationId: 'listTurns',
  tag: 'Sessions',
  summary: 'List the times of the parts of each turn of a conversation',
  description: 'The n-th turn answers the n-th message of the user. A part that a turn did not have is null.',
  request: { params: sessionParameters, query: pageQuerySchema },
  responses: { 200: json('A page of turns.', page) },
  calls: [sessionsContract.methods.listTurns],
  createHandler: ({ sessions }) =>
    forward(async (req) => {
      const request = { ...sessionAddressOf(req), ...parseRequest(pageQuerySchema, req.query) }
      return sessions.raw.listTurns(request, { context: req.context })
    }),
}
