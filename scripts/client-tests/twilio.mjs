/** Twilio's library signs the webhooks of telephone calls, and a scripted caller speaks Media Streams. */
import twilio from 'twilio'
import { caller, checkNetwork, number, transferredTo } from './telephony.mjs'

const [account_sid, auth_token] = [`AC${'0'.repeat(32)}`, 'f'.repeat(32)]
const [callId, streamSid] = [`CA${'1'.repeat(32)}`, `MZ${'2'.repeat(32)}`]

await checkNetwork({
  ...{ client: 'twilio', dialect: 'TwiML', account_sid, auth_token, callId },
  fields: { AccountSid: account_sid, CallSid: callId, From: caller, To: number, Caller: 'Zoë & Co' },
  sign(url, fields, isForged) {
    const token = isForged ? '0'.repeat(32) : auth_token
    return { 'x-twilio-signature': twilio.getExpectedTwilioSignature(token, url, fields) }
  },
  connection(xml) {
    const [, streamUrl] = /<Connect><Stream url="([^"]+)">/.exec(xml) ?? []
    const parameters = [...xml.matchAll(/<Parameter name="(\w+)" value="([^"]*)"\/>/g)]
    return { streamUrl, passed: Object.fromEntries(parameters.map(([, name, value]) => [name, value])) }
  },
  start: (customParameters) => [
    { event: 'connected', protocol: 'Call', version: '1.0.0' },
    {
      ...{ event: 'start', sequenceNumber: '1', streamSid },
      start: {
        ...{ streamSid, accountSid: account_sid, callSid: callId, tracks: ['inbound'], customParameters },
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
      },
    },
  ],
  media: (payload) => ({ event: 'media', streamSid, media: { track: 'inbound', payload } }),
  digit: (digit) => ({ event: 'dtmf', streamSid, dtmf: { track: 'inbound_track', digit } }),
  played: (mark) => ({ event: 'mark', streamSid, mark }),
  stop: { event: 'stop', streamSid, stop: { accountSid: account_sid, callSid: callId } },
  read({ event, media, mark, ...message }) {
    if (message.streamSid !== streamSid) throw new Error('a message names another stream')
    return { audio: media?.payload, clear: event === 'clear', mark }
  },
  isTransfer: ({ path, authorization, body }) =>
    path === `/2010-04-01/Accounts/${account_sid}/Calls/${callId}.json` &&
    authorization === `Basic ${btoa(`${account_sid}:${auth_token}`)}` &&
    new URLSearchParams(body).get('Twiml')?.includes(`<Number>${transferredTo}</Number>`),
})
