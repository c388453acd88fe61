import { sessionsContract } from '@parlance/contracts'
import { z } from 'zod'
import { forward } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { pageQuerySchema } from '../../openapi/parameters.js'
import { sessionAddressOf, sessionParameters } from '../path-parameters.js'
import { json, member, type Route } from '../route.js'

const { tool_calls: calls } = sessionsContract.methods.listToolCalls.reply.shape
const page = z.object({
  tool_calls: z.array(calls.element.meta({ id: 'ToolCall' })),
  next_cursor: z.string().nullable(),
})

export const listToolCalls: Route = {
  method: 'get',
  path: '/dashboard/api/agent-sessions/:sessionId/tool-calls',
  authentication: member('member', 'agents'),
  operationId: 'listToolCalls',
  tag: 'Sessions',
  summary: 'List the calls of tools in a conversation',
  description: 'In the order in which they ended. Empty when the Agent does not store transcripts.',
  request: { params: sessionParameters, query: pageQuerySchema },
  responses: { 200: json('A page of calls.', page) },
  calls: [sessionsContract.methods.listToolCalls],
  createHandler: ({ sessions }) =>
    forward(async (req) => {
      const request = { ...sessionAddressOf(req), ...parseRequest(pageQuerySchema, req.query) }
      return sessions.raw.listToolCalls(request, { context: req.context })
    }),
}
