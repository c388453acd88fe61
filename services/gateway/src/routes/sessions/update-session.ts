import { liveSessionsContract, sessionUpdateSchema } from '@parlance/contracts'
import { z } from 'zod'
import { parseBody } from '../../http/json-body.js'
import { sendResource } from '../../http/json-response.js'
import { answerSdp } from '../../openapi/resource-schemas.js'
import { agentSessionParameters } from '../path-parameters.js'
import { json, jsonBody, type Route, sessionToken } from '../route.js'
import { authorizeLiveSession, callInstance, negotiationDeadlineMs } from './live-session.js'

const candidate = { candidate: 'candidate:1 1 udp 2113937151 192.0.2.1 54400 typ host', sdpMid: '0' }

export const updateSession: Route = {
  method: 'patch',
  path: '/v1/agents/:agentId/sessions/:sessionId',
  authentication: sessionToken,
  operationId: 'updateSession',
  tag: 'Sessions',
  summary: 'Add candidates, or connect again',
  description: 'With the token that started the conversation, for as long as it lives.',
  request: {
    params: agentSessionParameters,
    body: jsonBody(sessionUpdateSchema, {
      candidates: { value: { candidates: [candidate] } },
      restart: { value: { sdp: { type: 'offer', sdp: 'v=0\r\n…' } } },
    }),
  },
  responses: { 200: json('To an offer, the answer.', z.object({ sdp: answerSdp.optional() })) },
  calls: [liveSessionsContract.methods.updateSession],
  errors: ['session_token_agent_mismatch'],

  createHandler: (dependencies) => async (req, res) => {
    const { workspace_id, session_id, instance_id: instance } = await authorizeLiveSession(dependencies, req, res)
    const update = await parseBody(sessionUpdateSchema, req)
    const options = { context: req.context, instance, deadlineMs: negotiationDeadlineMs }
    const { sdp } = await callInstance(() =>
      dependencies.live.updateSession({ workspace_id, session_id, update }, options),
    )
    sendResource(req, res, 200, sdp === null ? {} : { sdp })
  },
}
