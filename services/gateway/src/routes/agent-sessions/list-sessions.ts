import { sessionStatusSchema, sessionsContract } from '@parlance/contracts'
import { z } from 'zod'
import { principalOf } from '../../authentication/require-key.js'
import { forward } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { idQueryField, orderedPageQuerySchema, timeQueryField } from '../../openapi/parameters.js'
import { sessionSummary } from '../../openapi/resource-schemas.js'
import { apiKey, json, type Route } from '../route.js'

/** The filters of the public route. The dashboard has more. */
export const sessionQuerySchema = orderedPageQuerySchema.extend({
  agent_id: idQueryField,
  end_user_id: idQueryField,
  status: sessionStatusSchema.optional(),
  started_after: timeQueryField,
  started_before: timeQueryField,
})

export const sessionPageSchema = z.object({ sessions: z.array(sessionSummary), next_cursor: z.string().nullable() })

export const listSessions: Route = {
  method: 'get',
  path: '/v1/agent-sessions',
  authentication: apiKey('agents'),
  operationId: 'listSessions',
  tag: 'Sessions',
  summary: 'List conversations',
  request: { query: sessionQuerySchema },
  responses: { 200: json('A page of conversations, live and past.', sessionPageSchema) },
  calls: [sessionsContract.methods.listSessions],

  createHandler: ({ sessions }) =>
    forward(async (req) => {
      const request = { workspace_id: principalOf(req).workspace_id, ...parseRequest(sessionQuerySchema, req.query) }
      return sessions.raw.listSessions(request, { context: req.context })
    }),
}
