import { upgradeErrors } from '../../openapi/error-codes.js'
import { listenPath } from '../../stream/listen-streams.js'
import { documentedStreamQuery } from '../../stream/stream-upgrade.js'
import { refuseWithoutUpgrade } from '../../websocket/upgrade.js'
import { noAuthentication, type Route } from '../route.js'

/** `stream/listen-streams.ts` accepts the upgrade. */
export const listen: Route = {
  method: 'get',
  path: listenPath,
  authentication: noAuthentication,
  operationId: 'listen',
  tag: 'Speech',
  summary: 'Recognize speech over a WebSocket',
  description:
    'Subprotocol `awp.stt.v1`, with a listen token beside it as `awp.token.<token>`, in the Authorization header, or as ' +
    '`?token=`. Audio goes in while it is spoken, its text comes out. The audio is billed by the second. Errors of the token, ' +
    'limits and revocation are as for streams of speech.',
  request: { query: documentedStreamQuery },
  responses: { 101: { description: 'The connection is now a WebSocket.' } },
  errors: [...upgradeErrors, 'stream_token_invalid', 'insufficient_credit', 'rate_limited', 'concurrency_limited'],
  createHandler: () => refuseWithoutUpgrade,
}
