/**
 * Twilio: voice webhooks with TwiML, bidirectional Media Streams, and the request that changes a live call.
 *
 * https://www.twilio.com/docs/usage/security, https://www.twilio.com/docs/voice/media-streams/websocket-messages
 */
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { connectStream, dial, xmlResponse } from './call-xml.js'
import { type CallRequest, isEqual, readSharedMessage, sharedMessages, type TelephonyProvider } from './provider.js'

/** Twilio signs the URL with the default port for some of its own callers, and without it for others. */
const signedUrls = (url: string): string[] => {
  const { port, protocol, host } = new URL(url)
  const origin = `${protocol}//${host}`
  const withoutPort = port === '' ? origin : origin.slice(0, -port.length - 1)
  const withPort = port === '' ? `${origin}:${protocol === 'https:' ? 443 : 80}` : origin
  return [withoutPort, withPort].map((start) => start + url.slice(url.indexOf('/', protocol.length + 2)))
}

/** Base64 of the HMAC-SHA1 of the URL and the sorted fields, without anything between them. */
export const twilioSignature = (authToken: string, url: string, fields: CallRequest['fields']): string => {
  const names = [...new Set(fields.map(([name]) => name))].sort()
  const valuesOf = (name: string) => [...new Set(fields.flatMap(([other, value]) => (other === name ? [value] : [])))]
  const text = names
    .flatMap((name) =>
      valuesOf(name)
        .sort()
        .map((value) => name + value),
    )
    .join('')
  return createHmac('sha1', authToken)
    .update(url + text)
    .digest('base64')
}

const messageSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('connected') }),
  z.object({
    event: z.literal('start'),
    start: z.object({
      streamSid: z.string(),
      callSid: z.string(),
      accountSid: z.string(),
      customParameters: z.record(z.string(), z.string()).default({}),
      mediaFormat: z.object({
        encoding: z.literal('audio/x-mulaw'),
        sampleRate: z.coerce.number().pipe(z.literal(8000)),
        channels: z.coerce.number().pipe(z.literal(1)),
      }),
    }),
  }),
  z.object({ event: z.literal('mark'), mark: z.object({ name: z.string() }) }),
  ...sharedMessages,
])

export const twilio: TelephonyProvider = {
  name: 'twilio',

  readCall({ fields }) {
    const { AccountSid: accountSid, From: from = '', To: to } = Object.fromEntries(fields)
    return accountSid === undefined || to === undefined ? undefined : { accountSid, from, to }
  },

  isSigned({ url, fields, header }, { auth_token }) {
    const given = header('x-twilio-signature')
    return (
      given !== undefined && signedUrls(url).some((one) => isEqual(given, twilioSignature(auth_token, one, fields)))
    )
  },

  answer: (url, parameters) => xmlResponse(connectStream({ url }, parameters)),

  readMessage(json) {
    const message = messageSchema.parse(json)
    switch (message.event) {
      case 'connected':
        return undefined
      case 'start': {
        const {
          streamSid: streamId,
          callSid: callId,
          accountSid: accountId,
          customParameters: parameters,
        } = message.start
        return { kind: 'start', streamId, callId, accountId, parameters }
      }
      case 'mark':
        return { kind: 'mark', name: message.mark.name }
      default:
        return readSharedMessage(message)
    }
  },

  audio: (streamSid, payload) => ({ event: 'media', streamSid, media: { payload } }),
  mark: (streamSid, name) => ({ event: 'mark', streamSid, mark: { name } }),
  clear: (streamSid) => ({ event: 'clear', streamSid }),

  transfer({ apiUrl, account: { account_sid, auth_token, number }, call: { callId }, to }) {
    return {
      method: 'POST',
      url: `${apiUrl}/2010-04-01/Accounts/${encodeURIComponent(account_sid)}/Calls/${encodeURIComponent(callId)}.json`,
      headers: {
        authorization: `Basic ${Buffer.from(`${account_sid}:${auth_token}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ Twiml: xmlResponse(dial(number, to)) }).toString(),
    }
  },
}
