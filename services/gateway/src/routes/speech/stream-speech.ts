import { upgradeErrors } from '../../openapi/error-codes.js'
import { streamPath } from '../../stream/speech-streams.js'
import { documentedStreamQuery } from '../../stream/stream-upgrade.js'
import { refuseWithoutUpgrade } from '../../websocket/upgrade.js'
import { noAuthentication, type Route } from '../route.js'

/** `stream/speech-streams.ts` accepts the upgrade. */
export const streamSpeech: Route = {
  method: 'get',
  path: streamPath,
  authentication: noAuthentication,
  operationId: 'streamSpeech',
  tag: 'Speech',
  summary: 'Stream speech over a WebSocket',
  description:
    'Subprotocol `awp.tts.v1`, with a stream token beside it as `awp.token.<token>`, in the Authorization header, or as ' +
    '`?token=`. Text goes in while it is being written, speech comes out while it is being made; several contexts run ' +
    'side by side. An error of the token is sent in an `error` event and the close code 4401, 4402, 4403 or ' +
    '4429, or, where many such sockets are open, by HTTP; overload and draining refuse the upgrade. The number of streams ' +
    'that a workspace may have at once is limited (`concurrency_limited`). A context ends with the error `text_not_speakable`, and costs ' +
    'nothing, when the voice cannot say any of its text. A stream ends with 4401 or 4403 within 5 s of the revocation ' +
    'of the key that minted its token, or the suspension of the workspace.',
  request: { query: documentedStreamQuery },
  responses: { 101: { description: 'The connection is now a WebSocket.' } },
  errors: [...upgradeErrors, 'stream_token_invalid', 'insufficient_credit', 'rate_limited', 'concurrency_limited'],
  createHandler: () => refuseWithoutUpgrade,
}
