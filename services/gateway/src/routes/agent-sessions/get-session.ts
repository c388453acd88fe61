import { sessionsContract } from '@parlance/contracts'
import { forward } from '../../http/json-response.js'
import { sessionRecord } from '../../openapi/resource-schemas.js'
import { sessionAddressOf, sessionParameters } from '../path-parameters.js'
import { apiKey, json, type Route } from '../route.js'

export const getSession: Route = {
  method: 'get',
  path: '/v1/agent-sessions/:sessionId',
  authentication: apiKey('agents'),
  operationId: 'getSession',
  tag: 'Sessions',
  summary: 'Read a conversation',
  description: 'With its transcript, up to a limit. `messages` has the whole transcript, page by page.',
  request: { params: sessionParameters },
  responses: { 200: json('The record.', sessionRecord) },
  calls: [sessionsContract.methods.getSession],

  createHandler: ({ sessions }) =>
    forward((req) => sessions.raw.getSession(sessionAddressOf(req), { context: req.context })),
}
