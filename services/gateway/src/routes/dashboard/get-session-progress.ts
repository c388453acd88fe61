import { sessionProgressSchema, sessionsContract } from '@parlance/contracts'
import { forward } from '../../http/json-response.js'
import { sessionSummary } from '../../openapi/resource-schemas.js'
import { sessionAddressOf, sessionParameters } from '../path-parameters.js'
import { json, member, type Route } from '../route.js'

const progress = sessionProgressSchema.extend({ session: sessionSummary }).meta({ id: 'SessionProgress' })

export const getSessionProgress: Route = {
  method: 'get',
  path: '/dashboard/api/agent-sessions/:sessionId/progress',
  authentication: member('member', 'agents'),
  operationId: 'getSessionProgress',
  tag: 'Sessions',
  summary: 'Read the progress of a live conversation',
  description:
    'Without its final messages. `in_progress` is the reply that the Agent is speaking, as far as it was played; it changes once a second.',
  request: { params: sessionParameters },
  responses: { 200: json('The progress.', progress) },
  calls: [sessionsContract.methods.getProgress],
  createHandler: ({ sessions }) =>
    forward((req) => sessions.raw.getProgress(sessionAddressOf(req), { context: req.context })),
}
