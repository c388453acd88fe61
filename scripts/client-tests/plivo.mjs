/** Plivo's library judges the signatures of webhooks, and a scripted caller speaks audio streaming. */
import { createHmac } from 'node:crypto'
import plivo from 'plivo'
import { caller, checkNetwork, number, transferredTo } from './telephony.mjs'

const [account_sid, auth_token] = [`MA${'X'.repeat(18)}`, 'f'.repeat(40)]
const callId = '12345678-1234-1234-1234-123456789abc'
const streamId = '87654321-4321-4321-4321-cba987654321'

const signatureOf = (token, url, fields, nonce) => {
  const [base, query] = url.split('?')
  const sorted = Object.keys(fields).sort()
  const text = `${base}?${query === undefined ? '' : `${query}.`}${sorted.map((name) => name + fields[name]).join('')}`
  return createHmac('sha256', token).update(`${text}.${nonce}`).digest('base64')
}

await checkNetwork({
  ...{ client: 'plivo', dialect: 'Plivo XML', account_sid, auth_token, callId },
  fields: {
    ...{ CallUUID: callId, From: caller.slice(1), To: number.slice(1), CallerName: 'Zoë & Co' },
    ...{ CallStatus: 'ringing', Direction: 'inbound', Event: 'StartApp' },
  },
  sign(url, fields, isForged) {
    const nonce = '05429567804466091622'
    const signature = signatureOf(isForged ? '0'.repeat(40) : auth_token, url, fields, nonce)
    const isValid = plivo.validateV3Signature('POST', url, nonce, auth_token, signature, { ...fields })
    if (isValid === Boolean(isForged)) throw new Error('the library judges the signature otherwise')
    return { 'x-plivo-signature-v3': signature, 'x-plivo-signature-v3-nonce': nonce }
  },
  connection(xml) {
    const stream =
      /<Stream bidirectional="true" keepCallAlive="true" contentType="audio\/x-mulaw;rate=8000" extraHeaders="(\w+=\w+)">([^<]+)<\/Stream>/
    const [, passed, streamUrl] = stream.exec(xml) ?? []
    return { streamUrl, passed }
  },
  start: (extra_headers) => [
    {
      ...{ event: 'start', sequenceNumber: 1 },
      start: {
        ...{ callId, streamId, accountId: account_sid, tracks: ['inbound'] },
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000 },
      },
      extra_headers,
    },
  ],
  media: (payload) => ({
    ...{ event: 'media', sequenceNumber: 2, streamId },
    media: { track: 'inbound', timestamp: '1705312200000', chunk: 1, payload },
  }),
  digit: (digit) => ({ event: 'dtmf', streamId, dtmf: { track: 'inbound', digit, timestamp: '1705312200000' } }),
  played: (name) => ({ event: 'playedStream', streamId, name }),
  stop: { event: 'stop', streamId },
  read({ event, media, name, ...message }) {
    if (message.streamId !== streamId) throw new Error('a message names another stream')
    return { audio: media?.payload, clear: event === 'clearAudio', mark: event === 'checkpoint' ? name : undefined }
  },
  async isTransfer({ path, authorization, body }, follow) {
    const { legs, aleg_url, aleg_method } = JSON.parse(body)
    return (
      path === `/v1/Account/${account_sid}/Call/${callId}/` &&
      authorization === `Basic ${btoa(`${account_sid}:${auth_token}`)}` &&
      legs === 'aleg' &&
      aleg_method === 'POST' &&
      (await follow(aleg_url)).includes(`<Number>${transferredTo}</Number>`)
    )
  },
})
