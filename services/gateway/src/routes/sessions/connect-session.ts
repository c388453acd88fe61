import { z } from 'zod'
import { upgradeErrors } from '../../openapi/error-codes.js'
import { sessionSocketPath } from '../../session-socket/session-sockets.js'
import { refuseWithoutUpgrade } from '../../websocket/upgrade.js'
import { agentSessionParameters } from '../path-parameters.js'
import { noAuthentication, type Route } from '../route.js'

/** `session-socket/session-sockets.ts` accepts the upgrade. */
export const connectSession: Route = {
  method: 'get',
  path: sessionSocketPath,
  authentication: noAuthentication,
  operationId: 'connectSession',
  tag: 'Sessions',
  summary: 'Talk over a WebSocket',
  description:
    'Subprotocol `awp.session.v1`, with the token that started the conversation beside it as `awp.token.<token>`, in the ' +
    'Authorization header, or as `?token=`. Events are JSON in text frames; audio is binary frames of 20 ms of pcm_s16le, ' +
    'mono, at 24 kHz, both ways. The server sends `session.ready`, `transcript`, `agent.state`, `user.speech` (with ' +
    '`recognized: false` when no words were recognized), `alignment`, `interruption`, `tool.call`, `metrics`, ' +
    '`session.ending`, `session.ended`, `error` and `pong`. Closing with 1000 hangs up. Errors are sent ' +
    'in an `error` event and the close code 4401, 4403, 4404, 4409 or 4429, or, where many such sockets are open, by HTTP.',
  request: { params: agentSessionParameters, query: z.object({ token: z.string().optional() }) },
  responses: { 101: { description: 'The connection is now a WebSocket.' } },
  errors: [
    ...upgradeErrors,
    'session_token_expired',
    'session_token_agent_mismatch',
    'session_not_found',
    'session_ended',
  ],
  createHandler: () => refuseWithoutUpgrade,
}
