/**
 * Telnyx: voice webhooks of TeXML applications, bidirectional media streaming, and the request that changes a live call.
 *
 * https://developers.telnyx.com/docs/voice/programmable-voice/texml-verbs/stream,
 * https://developers.telnyx.com/api-reference/websockets/stream-call-media-over-websocket
 */
import { createPublicKey, verify } from 'node:crypto'
import { z } from 'zod'
import { connectStream, dial, xmlResponse } from './call-xml.js'
import { readSharedMessage, sharedMessages, type TelephonyProvider } from './provider.js'

/** A signature is valid for so long, so that a request cannot be sent again later. */
const signedWithinMs = 5 * 60_000

const messageSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('connected') }),
  z.object({
    event: z.literal('start'),
    stream_id: z.string(),
    start: z.object({
      user_id: z.string(),
      call_control_id: z.string(),
      custom_parameters: z.record(z.string(), z.string()).default({}),
      // The codec of a call that Telnyx cannot convert to PCMU is another one.
      media_format: z.object({ encoding: z.literal('PCMU'), sample_rate: z.literal(8000), channels: z.literal(1) }),
    }),
  }),
  z.object({ event: z.literal('mark'), mark: z.object({ name: z.string() }) }),
  z.object({ event: z.literal('error') }),
  ...sharedMessages,
])

export const telnyx: TelephonyProvider = {
  name: 'telnyx',

  readCall({ url, fields }) {
    const { From: from = '', To: to } = Object.fromEntries(fields)
    // Every workspace could enter the public key of another.
    const workspaceId = new URL(url).searchParams.get('workspace') ?? ''
    return to === undefined ? undefined : { workspaceId, from, to }
  },

  /** Ed25519 of the time and the body. */
  isSigned({ body, header }, { account_sid: publicKey }) {
    const [timestamp, signature] = [header('telnyx-timestamp'), header('telnyx-signature-ed25519')]
    if (signature === undefined || !(Math.abs(Date.now() - Number(timestamp) * 1000) <= signedWithinMs)) return false
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey, 'base64').toString('base64url') }
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    return verify(undefined, Buffer.from(`${timestamp}|${body}`), key, Buffer.from(signature, 'base64'))
  },

  answer(url, parameters) {
    const attributes = { url, codec: 'PCMU', bidirectionalMode: 'rtp', bidirectionalCodec: 'PCMU' }
    return xmlResponse(`${connectStream(attributes, parameters)}<Hangup/>`)
  },

  readMessage(json) {
    const message = messageSchema.parse(json)
    switch (message.event) {
      case 'connected':
      case 'error':
        return undefined
      case 'start': {
        const { user_id: accountId, call_control_id: callId, custom_parameters: parameters } = message.start
        return { kind: 'start', streamId: message.stream_id, callId, accountId, parameters }
      }
      case 'mark':
        return { kind: 'mark', name: message.mark.name }
      default:
        return readSharedMessage(message)
    }
  },

  audio: (_streamId, payload) => ({ event: 'media', media: { payload } }),
  mark: (_streamId, name) => ({ event: 'mark', mark: { name } }),
  clear: () => ({ event: 'clear' }),

  transfer({ apiUrl, account: { auth_token, number }, call: { accountId, callId }, to }) {
    return {
      method: 'POST',
      url: `${apiUrl}/v2/texml/Accounts/${encodeURIComponent(accountId)}/Calls/${encodeURIComponent(callId)}`,
      headers: { authorization: `Bearer ${auth_token}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ Texml: xmlResponse(dial(number, to)) }).toString(),
    }
  },
}
