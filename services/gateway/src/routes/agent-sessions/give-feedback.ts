import { feedbackRequestSchema, feedbackSchema, sessionsContract } from '@parlance/contracts'
import type { Request, Response } from 'express'
import { principalOf } from '../../authentication/require-key.js'
import { parseBody } from '../../http/json-body.js'
import { sendResource } from '../../http/json-response.js'
import { sessionAddressOf, sessionParameters } from '../path-parameters.js'
import { json, jsonBody, type Route, type RouteDependencies } from '../route.js'
import { admitMintingKey, hasSessionToken, holderOfSessionToken, sessionTokenOf } from '../sessions/session-token.js'

/** The conversation in the path, for a key of its workspace or for the token that started it. */
const ratedSession = async (dependencies: RouteDependencies, req: Request, res: Response) => {
  if (!hasSessionToken(req)) return sessionAddressOf(req)
  const address = { agentId: undefined, sessionId: String(req.params.sessionId) }
  const session = await dependencies.authorizeSession(sessionTokenOf(req), address, req.context)
  await admitMintingKey(dependencies, res, session, req.context)
  return { workspace_id: session.workspace_id, session_id: session.session_id }
}

export const giveFeedback: Route = {
  method: 'post',
  path: '/v1/agent-sessions/:sessionId/feedback',
  authentication: { kind: 'key or session token', capability: 'agents' },
  idempotency: {
    ownerOf: (req) => (hasSessionToken(req) ? holderOfSessionToken(req) : principalOf(req).workspace_id),
  },
  operationId: 'giveFeedback',
  tag: 'Sessions',
  summary: 'Rate a conversation',
  description:
    'With a key, or with the token that started the conversation, while it lives and for an hour after its end. Later ' +
    'feedback replaces earlier feedback.',
  request: {
    params: sessionParameters,
    body: jsonBody(feedbackRequestSchema, { good: { value: { score: 1, comment: 'It found my order.' } } }),
  },
  responses: { 200: json('The feedback.', feedbackSchema.meta({ id: 'Feedback' })) },
  calls: [sessionsContract.methods.giveFeedback],

  createHandler: (dependencies) => async (req, res) => {
    const address = await ratedSession(dependencies, req, res)
    const feedback = await parseBody(feedbackRequestSchema, req)
    const request = { ...address, ...feedback }
    sendResource(req, res, 200, await dependencies.sessions.giveFeedback(request, { context: req.context }))
  },
}
