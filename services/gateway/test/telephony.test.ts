import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { pcmFromBytes, pcmToUlaw, ulawToPcm } from '@parlance/audio'
import { createUnconnectedStarts, maxUnconnectedStartsPerMinute } from '@parlance/clients/session-registry'
import { transferCallName } from '@parlance/contracts'
import type { EgressRequest } from '@parlance/egress'
import { createMemoryTtlStore, type TtlStore } from '@parlance/store'
import { vi } from 'vitest'
import { WebSocket } from 'ws'
import { createAgentAudio, createCallerAudio, createDigits } from '../src/telephony/phone-call.js'
import { plivo, plivoSignature } from '../src/telephony/plivo.js'
import type { TelephonyProvider } from '../src/telephony/provider.js'
import { telnyx } from '../src/telephony/telnyx.js'
import { twilio, twilioSignature } from '../src/telephony/twilio.js'
import { agentId } from './fake-agents.js'
import { openedNumbers, telnyxKeys } from './fake-phone-numbers.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

const caller = '+4915112345678'
const transferredTo = '+4930654321'
const streamUrl = 'wss://a.example/x?a=1&b=2'

type Fields = Readonly<Record<string, string>>
type Message = Record<string, unknown> & { event: string; media?: { payload: string } }

/** What a network does in a call. */
interface Network {
  readonly provider: TelephonyProvider
  /** The query of its webhook. */
  readonly query: string
  /** Those of a call that comes in. */
  readonly fields: Fields
  /** The headers with which it signs a request. Someone else has other credentials. */
  sign(url: string, fields: Fields, isSomeoneElse?: boolean): Record<string, string>
  /** How it connects a call to a socket, after its URL. */
  readonly connects: string
  /** The messages at the start of a socket that was named with these parameters. */
  start(parameters: Fields, answer: string): readonly object[]
  media(payload: string): object
  digit(digit: string): object
  /** Its message when the audio before a mark was played. */
  played(mark: Message): object
  readonly stop: object
  /** The kinds of messages that it receives. */
  readonly events: { readonly audio: string; readonly clear: string; readonly mark: string }
  /** The request that transfers a call. */
  readonly transfer: { readonly url: string; readonly authorization: string; readonly body: string }
}

const basic = ({ account_sid, auth_token }: { account_sid: string; auth_token: string }): string =>
  `Basic ${btoa(`${account_sid}:${auth_token}`)}`
const dialed = `<Dial callerId="${openedNumbers.twilio.number}"><Number>${transferredTo}</Number></Dial>`
const responseOf = (verbs: string): string => `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs}</Response>`
const escapedParameter = '<Parameter name="token" value="&lt;&quot;&amp;&apos;&gt;"/>'

const ofTwilio: Network = {
  provider: twilio,
  query: '',
  fields: {
    AccountSid: openedNumbers.twilio.account_sid,
    To: openedNumbers.twilio.number,
    From: caller,
    CallSid: 'C1',
  },
  sign(url, fields, isSomeoneElse) {
    const token = isSomeoneElse ? 'another-token' : openedNumbers.twilio.auth_token
    return { 'x-twilio-signature': twilioSignature(token, url, Object.entries(fields)) }
  },
  connects: `<Connect><Stream url="wss://a.example/x?a=1&amp;b=2">${escapedParameter}</Stream></Connect>`,
  start: (customParameters) => [
    { event: 'connected', protocol: 'Call', version: '1.0.0' },
    {
      event: 'start',
      start: {
        ...{ streamSid: 'S1', callSid: 'C1', accountSid: 'A1', customParameters },
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
      },
    },
  ],
  media: (payload) => ({ event: 'media', streamSid: 'S1', media: { track: 'inbound', payload } }),
  digit: (digit) => ({ event: 'dtmf', streamSid: 'S1', dtmf: { digit } }),
  played: ({ streamSid, mark }) => ({ event: 'mark', streamSid, mark }),
  stop: { event: 'stop', stop: {} },
  events: { audio: 'media', clear: 'clear', mark: 'mark' },
  transfer: {
    url: `https://api.twilio.com/2010-04-01/Accounts/${openedNumbers.twilio.account_sid}/Calls/C1.json`,
    authorization: basic(openedNumbers.twilio),
    body: new URLSearchParams({ Twiml: responseOf(dialed) }).toString(),
  },
}

const ofTelnyx: Network = {
  provider: telnyx,
  query: `?workspace=${openedNumbers.telnyx.workspace_id}`,
  fields: { AccountSid: 'A1', To: openedNumbers.telnyx.number, From: caller, CallSid: 'v3:C1', CallStatus: 'ringing' },
  sign(_url, fields, isSomeoneElse) {
    const { privateKey } = isSomeoneElse ? generateKeyPairSync('ed25519') : telnyxKeys
    const time = String(Math.floor(Date.now() / 1000))
    const signature = sign(undefined, Buffer.from(`${time}|${new URLSearchParams(fields)}`), privateKey)
    return { 'telnyx-timestamp': time, 'telnyx-signature-ed25519': signature.toString('base64') }
  },
  connects:
    '<Connect><Stream url="wss://a.example/x?a=1&amp;b=2" codec="PCMU" bidirectionalMode="rtp" ' +
    `bidirectionalCodec="PCMU">${escapedParameter}</Stream></Connect><Hangup/>`,
  start: (custom_parameters) => [
    { event: 'connected', version: '1.0.0' },
    {
      event: 'start',
      stream_id: 'S1',
      start: {
        ...{ user_id: 'A1', call_control_id: 'v3:C1', from: caller, tags: [], custom_parameters },
        media_format: { encoding: 'PCMU', sample_rate: 8000, channels: 1 },
      },
    },
  ],
  media: (payload) => ({ event: 'media', stream_id: 'S1', media: { track: 'inbound', chunk: '1', payload } }),
  digit: (digit) => ({ event: 'dtmf', stream_id: 'S1', dtmf: { digit } }),
  played: ({ mark }) => ({ event: 'mark', stream_id: 'S1', mark }),
  stop: { event: 'stop', stream_id: 'S1', stop: {} },
  events: { audio: 'media', clear: 'clear', mark: 'mark' },
  transfer: {
    url: 'https://api.telnyx.com/v2/texml/Accounts/A1/Calls/v3%3AC1',
    authorization: `Bearer ${openedNumbers.telnyx.auth_token}`,
    body: new URLSearchParams({ Texml: responseOf(dialed) }).toString(),
  },
}

const ofPlivo: Network = {
  provider: plivo,
  query: '',
  fields: { To: openedNumbers.plivo.number.slice(1), From: caller.slice(1), CallUUID: 'C1', CallStatus: 'ringing' },
  sign(url, fields, isSomeoneElse) {
    const token = isSomeoneElse ? 'another-token' : openedNumbers.plivo.auth_token
    const signature = plivoSignature(token, { url, fields: Object.entries(fields) }, '12345')
    return { 'x-plivo-signature-v3': `other,${signature}`, 'x-plivo-signature-v3-nonce': '12345' }
  },
  connects:
    '<Stream bidirectional="true" keepCallAlive="true" contentType="audio/x-mulaw;rate=8000" ' +
    `extraHeaders="parlance=${Buffer.from('token=%3C%22%26%27%3E').toString('hex')}">` +
    'wss://a.example/x?a=1&amp;b=2</Stream><Hangup/>',
  start: (_parameters, answer) => [
    {
      event: 'start',
      sequenceNumber: 0,
      start: {
        ...{ callId: 'C1', streamId: 'S1', accountId: 'A1', tracks: ['inbound'] },
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000 },
      },
      extra_headers: /extraHeaders="([^"]+)"/.exec(answer)?.[1],
    },
  ],
  media: (payload) => ({ event: 'media', streamId: 'S1', media: { track: 'inbound', chunk: 1, payload } }),
  digit: (digit) => ({ event: 'dtmf', streamId: 'S1', dtmf: { track: 'inbound', digit } }),
  played: ({ streamId, name }) => ({ event: 'playedStream', streamId, name }),
  stop: { event: 'stop', streamId: 'S1' },
  events: { audio: 'playAudio', clear: 'clearAudio', mark: 'checkpoint' },
  transfer: {
    url: `https://api.plivo.com/v1/Account/${openedNumbers.plivo.account_sid}/Call/C1/`,
    authorization: basic(openedNumbers.plivo),
    body: JSON.stringify({
      legs: 'aleg',
      aleg_url: 'https://speech.example.com/v1/telephony/plivo?transfer_to=4930654321',
      aleg_method: 'POST',
    }),
  },
}

const networks = [ofTwilio, ofTelnyx, ofPlivo].map((network) => [network.provider.name, network] as const)

describe.each(networks)('%s', (_name, { provider, connects, digit, start }) => {
  test('is answered with XML whose values are escaped', () => {
    expect(provider.answer(streamUrl, { token: '<"&\'>' })).toBe(responseOf(connects))
  })

  test('passes the parameters of the answer on to the socket', () => {
    const parameters = { token: 'awst_a-b_c', number_id: openedNumbers.plivo.id }
    const message = start(parameters, provider.answer(streamUrl, parameters)).at(-1)
    expect(provider.readMessage(message)).toMatchObject({ kind: 'start', streamId: 'S1', accountId: 'A1', parameters })
  })

  test('may not send audio of another encoding, digits that no telephone has, and unknown events', () => {
    const other = JSON.parse(JSON.stringify(start({}, '').at(-1)).replace(/"(PCMU|audio\/x-mulaw)"/, '"L16"'))
    for (const message of [other, digit('x'), { event: 'hello' }]) expect(() => provider.readMessage(message)).toThrow()
  })
})

describe('Twilio', () => {
  // The example of Twilio's documentation of its signatures.
  const url = 'https://mycompany.com/myapp.php?foo=1&bar=2'
  const fields = Object.entries({
    ...{ CallSid: 'CA1234567890ABCDE', Caller: '+14158675309', Digits: '1234', From: '+14158675309' },
    To: '+18005551212',
  })

  test('signs the URL and the sorted fields', () => {
    expect(twilioSignature('12345', url, fields)).toBe('RSOYDt4T1cUTdK1PDd93/VVr8B8=')
  })

  test('may sign the URL with the default port of its scheme, or without a port', () => {
    const account = { account_sid: '', auth_token: '12345' }
    const isSigned = (signed: string, ours: string) =>
      twilio.isSigned({ url: ours, body: '', fields, header: () => twilioSignature('12345', signed, fields) }, account)
    expect(isSigned('https://a.example/v1/x?y=/', 'https://a.example/v1/x?y=/')).toBe(true)
    expect(isSigned('https://a.example:443/v1/x', 'https://a.example/v1/x')).toBe(true)
    expect(isSigned('https://a.example/v1/x', 'https://a.example:8443/v1/x')).toBe(true)
    expect(isSigned('https://b.example/v1/x', 'https://a.example/v1/x')).toBe(false)
  })
})

test('a request that Telnyx signed cannot be sent again after five minutes', () => {
  const headers: Fields = ofTelnyx.sign('', ofTelnyx.fields)
  const body = new URLSearchParams(ofTelnyx.fields).toString()
  const isSigned = () =>
    telnyx.isSigned(
      { url: 'https://a.example', body, fields: [], header: (name) => headers[name] },
      openedNumbers.telnyx,
    )
  vi.useFakeTimers()
  vi.setSystemTime(Date.now() + 4 * 60_000)
  expect(isSigned()).toBe(true)
  vi.setSystemTime(Date.now() + 2 * 60_000)
  expect(isSigned()).toBe(false)
  vi.useRealTimers()
})

test('audio keeps its length and its loudness on the way to the conversation and back', () => {
  const tone = Int16Array.from({ length: 8_000 }, (_, n) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * 440 * n) / 8_000)),
  )
  const [toConversation, toNetwork] = [createCallerAudio(), createAgentAudio()]
  const ulaw = pcmToUlaw(tone)
  const frames = [...Array(50).keys()].flatMap((n) => toConversation(ulaw.subarray(n * 160, (n + 1) * 160)))
  expect(frames.length).toBeGreaterThanOrEqual(49)
  expect(frames.every(({ length }) => length === 960)).toBe(true)
  const sent = frames.map(toNetwork)
  expect(sent.every(({ length }) => length === 160)).toBe(true)
  const back = sent.flatMap((ulaw) => [...ulawToPcm(ulaw)])
  const loudness = (samples: ArrayLike<number>) =>
    Math.sqrt(Array.from(samples).reduce((sum, sample) => sum + sample ** 2, 0) / samples.length)
  expect(loudness(back) / loudness(tone)).toBeCloseTo(1, 1)
  expect(loudness(pcmFromBytes(frames[10]!)) / loudness(tone)).toBeCloseTo(1, 1)
})

test('digits become one message after a pause, or at once with #', () => {
  vi.useFakeTimers()
  const messages: string[] = []
  const digits = createDigits((text) => messages.push(text), 2_000)
  for (const digit of '12') digits.press(digit)
  vi.advanceTimersByTime(1_999)
  digits.press('3')
  vi.advanceTimersByTime(2_000)
  for (const digit of '45#') digits.press(digit)
  digits.press('6')
  digits.stop()
  vi.advanceTimersByTime(10_000)
  vi.useRealTimers()
  expect(messages).toEqual(['123', '45#'])
})

describe('a telephone call', () => {
  let gateway: OpenGateway
  let ttl: TtlStore
  beforeEach(async () => {
    ttl = createMemoryTtlStore()
    gateway = await openGateway({ publicUrl: 'https://speech.example.com', maxStreams: 2, ttl })
  })
  afterEach(async () => {
    await gateway.conversations.stop(0)
    await gateway.close()
    await ttl.close()
  })

  interface Request {
    readonly fields?: Fields
    readonly query?: string
    readonly headers?: Record<string, string>
  }
  const post = (network: Network, { fields = network.fields, query = network.query, headers }: Request = {}) => {
    const path = pathOf(network.provider) + query
    const signed = headers ?? network.sign(`https://speech.example.com${path}`, fields)
    return fetch(gateway.url + path, { method: 'POST', headers: signed, body: new URLSearchParams(fields) })
  }
  const pathOf = ({ name }: TelephonyProvider) => `/v1/telephony/${name}`

  /** Opens the socket that the network is answered with. */
  const dial = async (network: Network = ofTwilio, token = 'awst_good') => {
    const { provider, start, played, events } = network
    const socket = new WebSocket(gateway.url.replace(/^http/, 'ws') + pathOf(provider))
    const messages: Message[] = []
    const send = (message: object) => socket.send(JSON.stringify(message))
    socket.on('message', (data) => {
      const message = JSON.parse(String(data))
      messages.push(message)
      if (message.event === events.mark) send(played(message))
    })
    const closed = once(socket, 'close').then(([code]) => code as number)
    await once(socket, 'open')
    const parameters = { token, number_id: openedNumbers[provider.name].id }
    for (const message of start(parameters, provider.answer('wss://a.example', parameters))) send(message)
    return { socket, messages, send, closed, hangUp: () => send(network.stop) }
  }
  const receivedEvents = () =>
    gateway.sessions.received.flatMap((chunk) => (chunk.kind === 'message' ? [JSON.parse(chunk.text)] : []))
  const until = async (isTrue: () => boolean) => {
    while (!isTrue()) await new Promise((resolve) => setImmediate(resolve))
  }
  const event = (fields: object) => ({ kind: 'message', text: JSON.stringify(fields) }) as const

  describe.each(networks)('of %s', (name, network) => {
    test('is answered for the workspace whose account has signed the request, with a token for one conversation', async () => {
      const answered = await post(network)
      expect(answered.status).toBe(200)
      expect(answered.headers.get('content-type')).toBe('text/xml; charset=utf-8')
      const parameters = { token: 'awst_minted', number_id: openedNumbers[name].id }
      expect(await answered.text()).toBe(network.provider.answer(url.replace('https', 'wss'), parameters))
      expect(gateway.tokenRequests.mintSessionToken).toMatchObject({
        workspace_id: openedNumbers[name].workspace_id,
        agent_id: openedNumbers[name].agent_id,
        metadata: { phone: { from: caller, to: openedNumbers[name].number } },
      })
    })

    const url = `https://speech.example.com/v1/telephony/${name}`
    const bySomeoneElse = network.sign(url, network.fields, true)
    const withoutMeaning = Object.fromEntries(Object.keys(bySomeoneElse).map((header) => [header, '1']))
    test.each([
      ['that someone else has signed', { headers: bySomeoneElse }],
      ['for another number', { fields: { ...network.fields, To: '+4930999999' } }],
      ['that is no call', { fields: {} }],
      ['without a signature', { headers: {} }],
      ['with a signature of another form', { headers: withoutMeaning }],
    ])('is not answered for a request %s', async (_name, request) => {
      const answered = await post(network, request)
      expect(answered.status).toBe(401)
      expect(await answered.json()).toMatchObject({ code: 'unauthorized' })
    })

    test('starts a conversation as a telephone, sends the caller in, and ends it when the caller hangs up', async () => {
      gateway.sessions.state.holdOpen = true
      const call = await dial(network)
      await until(() => receivedEvents().length > 0)
      expect(gateway.sessions.requests.startSession).toMatchObject({
        phone: true,
        request: {
          transport: 'websocket',
          input_mode: 'automatic',
          metadata: { phone: { call_id: expect.stringMatching(/C1$/) } },
        },
      })
      const payload = Buffer.alloc(160, 0xff).toString('base64')
      for (let n = 0; n < 5; n++) call.send(network.media(payload))
      for (const digit of '12#') call.send(network.digit(digit))
      await until(() => receivedEvents().length > 1)
      expect(receivedEvents()).toEqual([
        { event: 'client.ready' },
        { event: 'text.send', id: expect.any(String), text: '12#' },
      ])
      expect(gateway.sessions.received.filter(({ kind }) => kind === 'audio').length).toBeGreaterThanOrEqual(4)
      call.hangUp()
      expect(await call.closed).toBe(1000)
      expect(gateway.sessions.state.left).toEqual(['hung up'])
    })

    test('plays the Agent in µ-law, clears after an interruption, and closes when the last words were played', async () => {
      gateway.sessions.state.sent = [
        { kind: 'audio', data: new Uint8Array(960) },
        { kind: 'audio', data: new Uint8Array(960) },
        event({ event: 'interruption', id: agentId, text_heard: '' }),
      ]
      const call = await dial(network)
      expect(await call.closed).toBe(1000)
      const { audio, clear, mark } = network.events
      expect(call.messages.map((message) => message.event)).toEqual([audio, audio, clear, mark])
      expect(Buffer.from(call.messages[0]!.media!.payload, 'base64').length).toBe(160)
    })

    test('is transferred by the API of the network when its conversation has ended', async () => {
      const to = { number: transferredTo }
      gateway.sessions.state.sent = [
        event({ event: 'tool.call', tool_call_id: 'a', name: transferCallName, arguments: to }),
      ]
      const call = await dial(network)
      await until(() => gateway.transfers.length > 0)
      const [{ method, url, headers, body }] = gateway.transfers as [EgressRequest]
      const { authorization } = headers
      expect({ method, url, authorization, body }).toEqual({ method: 'POST', ...network.transfer })
      call.socket.close()
    })

    test('does not start with a token that is not valid', async () => {
      expect(await (await dial(network, 'awst_session_token_expired')).closed).toBe(4401)
      expect(await (await dial(network, 'awst_unauthorized')).closed).toBe(4401)
    })
  })

  test('of Telnyx is not answered for another workspace that has entered the public key of the account', async () => {
    expect((await post(ofTelnyx, { query: `?workspace=${openedNumbers.telnyx.id}` })).status).toBe(401)
    expect((await post(ofTelnyx, { query: '' })).status).toBe(401)
  })

  test('of Plivo is put through when Plivo asks what to do after the transfer, with a signature alone', async () => {
    const query = '?transfer_to=4930654321'
    expect(await (await post(ofPlivo, { query })).text()).toBe(responseOf(dialed))
    const headers = ofPlivo.sign('https://speech.example.com/v1/telephony/plivo', ofPlivo.fields)
    expect((await post(ofPlivo, { query, headers })).status).toBe(401)
    expect(gateway.tokenRequests.mintSessionToken).toBeUndefined()
  })

  test('of Plivo has no second conversation when Plivo reports its end', async () => {
    const fields = { ...ofPlivo.fields, CallStatus: 'completed' }
    expect(await (await post(ofPlivo, { fields })).text()).toBe(responseOf(''))
    expect(gateway.tokenRequests.mintSessionToken).toBeUndefined()
  })

  const startInBrowser = async () => {
    const headers = { authorization: 'Bearer awst_good' }
    return (await gateway.post(`/v1/agents/${agentId}/sessions`, { transport: 'websocket' }, { headers })).status
  }
  const startOverRealtime = async () => {
    const url = `${gateway.url.replace(/^http/, 'ws')}/v1/realtime`
    const socket = new WebSocket(url, { headers: { authorization: 'Bearer ek_good' } })
    socket.on('error', () => {})
    const [, { statusCode }] = await once(socket, 'unexpected-response')
    socket.terminate()
    return statusCode as number
  }

  test.each([
    ['has no credit', 402, () => (gateway.fakes.admission = 'insufficient_credit')],
    ['is suspended', 403, () => (gateway.fakes.admission = 'organization_suspended')],
    ['has as many conversations as it may', 429, () => (gateway.sessions.state.refusal = 'concurrency_limited')],
    [
      'started many conversations to which no client connected',
      429,
      async () => {
        const starts = createUnconnectedStarts({ ttl })
        for (let n = 0; n <= maxUnconnectedStartsPerMinute; n++) await starts.add(openedNumbers.twilio.workspace_id)
      },
    ],
  ])('is refused as every other conversation when its workspace %s', async (_reason, status, arrange) => {
    await arrange()
    expect(await startInBrowser()).toBe(status)
    expect(await startOverRealtime()).toBe(status)
    expect(await (await dial()).closed).toBe(4000 + status)
    expect(gateway.sessions.state.started).toBe(0)
  })

  test('counts as a conversation of the process from its start on, with those over a WebSocket', async () => {
    gateway.sessions.state.holdOpen = true
    const calls = [await dial(), await dial()]
    await until(() => receivedEvents().length === 2)
    expect(await (await dial()).closed).toBe(1011)
    expect(await startOverRealtime()).toBe(503)
    for (const call of calls) call.hangUp()
    await Promise.all(calls.map(({ closed }) => closed))
  })

  test('does not start with the token of a member who tries a draft on a page', async () => {
    expect(await (await dial(ofTwilio, 'awst_draft')).closed).toBe(4401)
    expect(gateway.sessions.state.started).toBe(0)
  })
})
