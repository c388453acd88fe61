/**
 * Plivo: voice webhooks with Plivo XML, bidirectional audio streams, and the request that transfers a live call.
 *
 * https://www.plivo.com/docs/voice-agents/audio-streaming/concepts/audio-streaming-reference,
 * https://docs.plivo.com/docs/voice/xml/audiostream, https://docs.plivo.com/docs/voice/api/call/transfer-a-call
 */
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { dial, escapeXml, xmlAttributes, xmlResponse } from './call-xml.js'
import { type CallRequest, isEqual, readSharedMessage, sharedMessages, type TelephonyProvider } from './provider.js'

/** Joins fields that are sorted by their names, then by their values. */
const sorted = (fields: CallRequest['fields'], between: string, after: string): string =>
  fields
    .map((field) => field.join('\0'))
    .sort()
    .map((field) => field.replace('\0', between))
    .join(after)

/** Base64 of the HMAC-SHA256 of the URL, its sorted query, the sorted fields and the nonce. */
export const plivoSignature = (
  authToken: string,
  { url, fields }: Pick<CallRequest, 'url' | 'fields'>,
  nonce: string,
): string => {
  const { searchParams } = new URL(url)
  const query = sorted([...searchParams], '=', '&')
  const separator = fields.length === 0 ? '' : query === '' ? '?' : '.'
  const text = `${url.split('?', 1)[0]}${query && `?${query}`}${separator}${sorted(fields, '', '')}.${nonce}`
  return createHmac('sha256', authToken).update(text).digest('base64')
}

/** Plivo leaves out the plus sign. */
const toE164 = (number: string): string => number.replace(/^(?=[1-9]\d+$)/, '+')

const headerName = 'parlance'

const messageSchema = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('start'),
    start: z.object({
      streamId: z.string(),
      callId: z.string(),
      accountId: z.string(),
      mediaFormat: z.object({
        encoding: z.literal('audio/x-mulaw'),
        sampleRate: z.coerce.number().pipe(z.literal(8000)),
      }),
    }),
    extra_headers: z.string().default(''),
  }),
  z.object({ event: z.literal('playedStream'), name: z.string() }),
  z.object({ event: z.literal('clearedAudio') }),
  ...sharedMessages,
])

export const plivo: TelephonyProvider = {
  name: 'plivo',

  readCall({ url, fields }) {
    const { From: from = '', To: to, CallStatus: status } = Object.fromEntries(fields)
    if (to === undefined) return undefined
    const call = { from: toE164(from), to: toE164(to) }
    // Without an address of its own for it, Plivo reports the end of the call here.
    if (status === 'completed') return { ...call, response: xmlResponse('') }
    const transferTo = new URL(url).searchParams.get('transfer_to')
    return transferTo === null ? call : { ...call, response: xmlResponse(dial(call.to, toE164(transferTo))) }
  },

  isSigned(request, { auth_token }) {
    const nonce = request.header('x-plivo-signature-v3-nonce')
    if (nonce === undefined) return false
    const signature = plivoSignature(auth_token, request, nonce)
    return (request.header('x-plivo-signature-v3') ?? '').split(',').some((given) => isEqual(given.trim(), signature))
  },

  answer(url, parameters) {
    // Values may have letters and digits alone.
    const passed = Buffer.from(new URLSearchParams(parameters).toString()).toString('hex')
    const attributes = {
      ...{ bidirectional: 'true', keepCallAlive: 'true', contentType: 'audio/x-mulaw;rate=8000' },
      extraHeaders: `${headerName}=${passed}`,
    }
    return xmlResponse(`<Stream${xmlAttributes(attributes)}>${escapeXml(url)}</Stream><Hangup/>`)
  },

  readMessage(json) {
    const message = messageSchema.parse(json)
    switch (message.event) {
      case 'clearedAudio':
        return undefined
      case 'start': {
        const { streamId, callId, accountId } = message.start
        const [, passed = ''] = new RegExp(`${headerName}\\W+([0-9a-f]+)`, 'i').exec(message.extra_headers) ?? []
        const parameters = Object.fromEntries(new URLSearchParams(Buffer.from(passed, 'hex').toString()))
        return { kind: 'start', streamId, callId, accountId, parameters }
      }
      case 'playedStream':
        return { kind: 'mark', name: message.name }
      default:
        return readSharedMessage(message)
    }
  },

  audio: (streamId, payload) => ({
    event: 'playAudio',
    streamId,
    media: { contentType: 'audio/x-mulaw', sampleRate: 8000, payload },
  }),
  mark: (streamId, name) => ({ event: 'checkpoint', streamId, name }),
  clear: (streamId) => ({ event: 'clearAudio', streamId }),

  transfer({ apiUrl, webhookUrl, account: { account_sid, auth_token }, call: { callId }, to }) {
    // Plivo sends a signed request there, whose response connects the caller.
    const aleg_url = `${webhookUrl}?${new URLSearchParams({ transfer_to: to.replace('+', '') })}`
    return {
      method: 'POST',
      url: `${apiUrl}/v1/Account/${encodeURIComponent(account_sid)}/Call/${encodeURIComponent(callId)}/`,
      headers: {
        authorization: `Basic ${Buffer.from(`${account_sid}:${auth_token}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ legs: 'aleg', aleg_url, aleg_method: 'POST' }),
    }
  },
}
