import { sessionsContract } from '@parlance/contracts'
import { z } from 'zod'
import { parseBody } from '../../http/json-body.js'
import { respond } from '../../http/json-response.js'
import { sessionAddressOf, sessionParameters } from '../path-parameters.js'
import { json, jsonBody, member, type Route } from '../route.js'

const { judge } = sessionsContract.methods
const body = z.strictObject({ criteria: judge.request.shape.criteria })
const example = { criteria: [{ name: '1', description: 'A table was booked for the user.' }] }

/** The model may correct its answer once. */
const deadlineMs = 60_000

export const judgeSession: Route = {
  method: 'post',
  path: '/dashboard/api/agent-sessions/:sessionId/judgments',
  authentication: member('member', 'agents'),
  operationId: 'judgeSession',
  tag: 'Sessions',
  summary: 'Judge a conversation that has ended by its Agent’s model',
  description: 'For a test of the Agent. Nothing is stored but the tokens that it used.',
  request: { params: sessionParameters, body: jsonBody(body, { example: { value: example } }) },
  responses: { 200: json('Each criterion with its result.', judge.reply) },
  calls: [judge],
  createHandler: ({ sessions }) =>
    respond(200, async (req) => {
      const { criteria } = await parseBody(body, req)
      return sessions.judge({ ...sessionAddressOf(req), criteria }, { context: req.context, deadlineMs })
    }),
}
