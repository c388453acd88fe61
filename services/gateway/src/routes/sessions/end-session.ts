import { liveSessionsContract } from '@parlance/contracts'
import { sendNothing } from '../../http/json-response.js'
import { agentSessionParameters } from '../path-parameters.js'
import { type Route, sessionToken } from '../route.js'
import { authorizeLiveSession, callInstance } from './live-session.js'

export const endSession: Route = {
  method: 'delete',
  path: '/v1/agents/:agentId/sessions/:sessionId',
  authentication: sessionToken,
  operationId: 'endSession',
  tag: 'Sessions',
  summary: 'Hang up',
  description:
    'With the token that started the conversation, for as long as it lives. The record ends with `user_disconnected`.',
  request: { params: agentSessionParameters },
  responses: { 204: { description: 'The conversation is over.' } },
  calls: [liveSessionsContract.methods.endSession],
  errors: ['session_token_agent_mismatch'],

  createHandler: (dependencies) => async (req, res) => {
    const { workspace_id, session_id, instance_id: instance } = await authorizeLiveSession(dependencies, req, res)
    const request = { workspace_id, session_id, reason: 'user_disconnected' as const }
    await callInstance(() => dependencies.live.endSession(request, { context: req.context, instance }))
    sendNothing(req, res)
  },
}
