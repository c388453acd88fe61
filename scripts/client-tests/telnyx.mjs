/** Telnyx's library judges the signatures of webhooks, and a scripted caller speaks media streaming. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { TelnyxWebhook } from 'telnyx/lib/webhooks'
import { caller, checkNetwork, number, transferredTo } from './telephony.mjs'

const [keys, otherKeys] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')]
const account_sid = Buffer.from(keys.publicKey.export({ format: 'jwk' }).x, 'base64url').toString('base64')
const auth_token = `KEY${'0'.repeat(32)}_${'a'.repeat(22)}`
const user_id = 'f5586561-8ff0-4291-a51b-c7dfe4139ff9'
const callId = 'v3:9X2vxPDFY2RHSJ1EdMS0RHRksMTg7ldNxdjWbVr9zBjbGjGsSe-aiQ'
const stream_id = '32DE0DEA-53CB-4B21-89A4-9E1819C043BC'

await checkNetwork({
  ...{ client: 'telnyx', dialect: 'TeXML', account_sid, auth_token, callId },
  fields: {
    ...{ AccountSid: user_id, CallSid: callId, CallSidLegacy: callId, ConnectionId: '1234567890' },
    ...{ From: caller, To: number, CallerId: 'Zoë & Co', CallStatus: 'ringing' },
  },
  async sign(_url, fields, isForged) {
    const [body, time] = [new URLSearchParams(fields).toString(), String(Math.floor(Date.now() / 1000))]
    const signature = sign(undefined, Buffer.from(`${time}|${body}`), (isForged ? otherKeys : keys).privateKey)
    const headers = { 'telnyx-timestamp': time, 'telnyx-signature-ed25519': signature.toString('base64') }
    if (!isForged) await new TelnyxWebhook(account_sid).verify(body, headers)
    return headers
  },
  connection(xml) {
    const stream = /<Connect><Stream url="([^"]+)" codec="PCMU" bidirectionalMode="rtp" bidirectionalCodec="PCMU">/
    const [, streamUrl] = stream.exec(xml) ?? []
    const parameters = [...xml.matchAll(/<Parameter name="(\w+)" value="([^"]*)"\/>/g)]
    return { streamUrl, passed: Object.fromEntries(parameters.map(([, name, value]) => [name, value])) }
  },
  start: (custom_parameters) => [
    { event: 'connected', version: '1.0.0' },
    {
      ...{ event: 'start', sequence_number: '1', stream_id },
      start: {
        ...{ user_id, call_control_id: callId, call_session_id: 'ff55a038-6f5d-11ef-9692-02420aeffb1f' },
        ...{ from: caller, to: number, tags: [], client_state: '', custom_parameters },
        media_format: { encoding: 'PCMU', sample_rate: 8000, channels: 1 },
      },
    },
  ],
  media: (payload) => ({ event: 'media', stream_id, media: { track: 'inbound', chunk: '1', timestamp: '5', payload } }),
  digit: (digit) => ({ event: 'dtmf', stream_id, occurred_at: new Date().toISOString(), dtmf: { digit } }),
  played: (mark) => ({ event: 'mark', stream_id, mark }),
  stop: { event: 'stop', stream_id, stop: { user_id, call_control_id: callId } },
  read({ event, media, mark }) {
    if (media !== undefined && media.payload.length < 216) throw new Error('a message has less than 20 ms')
    return { audio: media?.payload, clear: event === 'clear', mark }
  },
  isTransfer: ({ path, authorization, body }) =>
    decodeURIComponent(path) === `/v2/texml/Accounts/${user_id}/Calls/${callId}` &&
    authorization === `Bearer ${auth_token}` &&
    new URLSearchParams(body).get('Texml')?.includes(`<Number>${transferredTo}</Number>`),
})
