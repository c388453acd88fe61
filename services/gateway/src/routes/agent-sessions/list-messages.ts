import { sessionsContract } from '@parlance/contracts'
import { z } from 'zod'
import { forward } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { orderedPageQuerySchema } from '../../openapi/parameters.js'
import { sessionMessage } from '../../openapi/resource-schemas.js'
import { sessionAddressOf, sessionParameters } from '../path-parameters.js'
import { apiKey, json, type Route } from '../route.js'

const { order } = orderedPageQuerySchema.shape
const query = orderedPageQuerySchema.extend({
  order: order.meta({ default: 'asc', description: 'By time.' }),
})

const page = z.object({ messages: z.array(sessionMessage), next_cursor: z.string().nullable() })

export const listMessages: Route = {
  method: 'get',
  path: '/v1/agent-sessions/:sessionId/messages',
  authentication: apiKey('agents'),
  operationId: 'listMessages',
  tag: 'Sessions',
  summary: 'List the messages of a conversation',
  request: { params: sessionParameters, query },
  responses: { 200: json('A page of messages.', page) },
  calls: [sessionsContract.methods.listMessages],

  createHandler: ({ sessions }) =>
    forward(async (req) => {
      const request = { ...sessionAddressOf(req), ...parseRequest(query, req.query) }
      return sessions.raw.listMessages(request, { context: req.context })
    }),
}
