import { once } from 'node:events'
import { realtimeServerEventSchema } from '@parlance/contracts'
import { WebSocket } from 'ws'
import { agentId } from './fake-agents.js'
import { keys } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
const sockets: WebSocket[] = []
beforeEach(async () => {
  gateway = await openGateway()
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate()
  await gateway.conversations.stop(0)
  await gateway.close()
})

const secretsPath = '/v1/realtime/client_secrets'
const session = { type: 'realtime', model: agentId }

const connect = (query: string, options: { readonly bearer?: string; readonly protocols?: string[] }) => {
  const headers = options.bearer === undefined ? {} : { authorization: `Bearer ${options.bearer}` }
  const url = `${gateway.url.replace('http', 'ws')}/v1/realtime${query}`
  const socket = new WebSocket(url, options.protocols ?? [], { headers })
  sockets.push(socket)
  socket.on('error', () => {})
  return socket
}
const statusOf = async (socket: WebSocket) => {
  const [, { statusCode }] = await once(socket, 'unexpected-response')
  return statusCode
}
const received = async (count: number) => {
  while (gateway.sessions.received.length < count) await new Promise(setImmediate)
  return gateway.sessions.received
}

describe('a client secret', () => {
  test('is a session token with the session, valid for as long as was asked', async () => {
    const response = await gateway.post(secretsPath, { expires_after: { seconds: 60 }, session })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      value: 'ek_minted',
      expires_at: Date.parse('2026-01-31T09:45:00.000Z') / 1000,
      session: { object: 'realtime.session', model: agentId },
    })
    expect(gateway.tokenRequests.mintSessionToken).toMatchObject({
      agent_id: agentId,
      valid_for_seconds: 60,
      realtime: session,
    })
  })

  test('has the fields that are ignored in a header, and is refused for those that the Agent does not allow', async () => {
    const ignored = await gateway.post(secretsPath, { session: { ...session, tracing: 'auto' } })
    expect(ignored.headers.get('x-parlance-ignored')).toBe('tracing')
    const refused = await gateway.post(secretsPath, { session: { ...session, instructions: 'Obey.' } })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({
      code: 'invalid_request',
      detail: expect.stringContaining('session.instructions: the Agent does not allow it.'),
      error: { type: 'invalid_request_error', code: 'invalid_request' },
    })
  })
})

describe('the WebSocket', () => {
  test('starts a conversation for a key or a client secret, and passes events and audio to its instance in order', async () => {
    gateway.sessions.state.holdOpen = true
    for (const bearer of [keys.good, 'ek_good']) {
      gateway.sessions.received.splice(0)
      const socket = connect(`?model=${agentId}`, { bearer })
      await once(socket, 'open')
      expect(gateway.sessions.requests.startSession).toMatchObject({
        request: { transport: 'websocket', input_mode: 'automatic' },
        realtime: { type: 'realtime' },
      })
      const audio = Buffer.alloc(40_000, 7)
      socket.send(JSON.stringify({ type: 'input_audio_buffer.append', audio: audio.toString('base64') }))
      socket.send('{"type":"response.create"}')
      socket.send('{"type":"input_audio_buffer.append","audio":"?"}')
      const chunks = await received(4)
      expect(chunks.map(({ kind }) => kind)).toEqual(['audio', 'audio', 'message', 'message'])
      expect(Buffer.concat(chunks.flatMap((chunk) => (chunk.kind === 'audio' ? [chunk.data] : [])))).toEqual(audio)
    }
  })

  test('sends the events of the instance as they are', async () => {
    gateway.sessions.state.sent = [{ kind: 'message', text: '{"type":"session.created"}' }]
    const socket = connect('', { protocols: ['realtime', 'openai-insecure-api-key.ek_good'] })
    const [message] = await once(socket, 'message')
    expect(String(message)).toBe('{"type":"session.created"}')
    expect(socket.protocol).toBe('realtime')
    await once(socket, 'close')
  })

  test('is refused with a status, and a browser gets the error on the open socket', async () => {
    expect(await statusOf(connect(`?model=${agentId}`, { bearer: 'ek_session_token_used' }))).toBe(409)
    expect(await statusOf(connect(`?model=${agentId}`, {}))).toBe(401)
    expect(await statusOf(connect('?model=gpt-realtime', { bearer: keys.good }))).toBe(404)
    expect(await statusOf(connect('?intent=other', { bearer: keys.good }))).toBe(400)
    expect(await statusOf(connect('?intent=transcription', {}))).toBe(401)
    expect(await statusOf(connect('', { bearer: 'ek_listen_used' }))).toBe(409)
    for (const [secret, code] of [
      ['ek_session_token_used', 'session_token_used'],
      ['ek_listen_used', 'session_token_used'],
      [keys.good, 'unauthorized'],
    ] as const) {
      const protocols = ['realtime', `openai-insecure-api-key.${secret}`]
      const socket = connect(`?model=${agentId}`, { protocols })
      const [message] = await once(socket, 'message')
      expect(JSON.parse(String(message))).toMatchObject({ type: 'error', error: { code, event_id: null } })
      await once(socket, 'close')
    }
  })
})

test('a session that recognizes speech is opened by a key or its own secret, and billed by the second', async () => {
  for (const bearer of [keys.good, 'ek_listen_any']) {
    const socket = connect(bearer === keys.good ? '?intent=transcription' : '', { bearer })
    const events: { readonly type: string; readonly transcript?: string }[] = []
    const completed = new Promise<void>((resolve) =>
      socket.on('message', (data) => {
        events.push(realtimeServerEventSchema.parse(JSON.parse(String(data))))
        if (events.at(-1)?.type.endsWith('completed')) resolve()
      }),
    )
    await once(socket, 'open')
    const turn_detection = null
    const sent = [
      { type: 'session.update', session: { type: 'transcription', audio: { input: { turn_detection } } } },
      { type: 'input_audio_buffer.append', audio: Buffer.alloc(48_000).toString('base64') },
      { type: 'input_audio_buffer.commit' },
    ]
    for (const event of sent) socket.send(JSON.stringify(event))
    await completed
    expect(events.map(({ type }) => type)).toEqual([
      ...['session.created', 'session.updated', 'input_audio_buffer.committed'],
      ...['conversation.item.added', 'conversation.item.done'],
      'conversation.item.input_audio_transcription.delta',
      'conversation.item.input_audio_transcription.completed',
    ])
    expect(events.at(-1)!.transcript).toBe('1000 ms')
    socket.close()
    await once(socket, 'close')
  }
  await gateway.allBilled()
  expect(gateway.reserver.holds.map(({ endings }) => endings)).toMatchObject([
    [{ usage: { quantities: { stt_seconds: 1 } } }],
    [{ usage: { quantities: { stt_seconds: 1 } } }],
  ])

  const { value } = (await (await gateway.post(secretsPath, { session: { type: 'transcription' } })).json()) as {
    value: string
  }
  expect(value).toBe('ek_listen_minted')
  expect(gateway.tokenRequests.mintListenToken).toMatchObject({
    realtime: { type: 'transcription' },
    valid_for_seconds: 600,
  })
})

test('a call takes an offer as SDP or in a form, and answers with the SDP and the path of the call', async () => {
  const form = new FormData()
  form.set('sdp', 'v=0')
  form.set('session', JSON.stringify({ ...session, tracing: 'auto' }))
  const bearer = { authorization: 'Bearer ek_good' }
  const bodies = [
    { body: 'v=0', headers: { ...bearer, 'content-type': 'application/sdp' } },
    { body: form, headers: bearer },
  ]
  for (const request of bodies) {
    const response = await fetch(`${gateway.url}/v1/realtime/calls`, { method: 'POST', ...request })
    expect(response.status).toBe(201)
    expect(response.headers.get('content-type')).toBe('application/sdp')
    expect(response.headers.get('location')).toMatch(/^\/v1\/realtime\/calls\/[0-9a-f-]{36}$/)
    expect(await response.text()).toMatch(/^v=0/)
    expect(gateway.sessions.requests.startSession).toMatchObject({
      request: { transport: 'webrtc', sdp: { sdp: 'v=0' } },
    })
  }
  const other = await fetch(`${gateway.url}/v1/realtime/calls`, { method: 'POST', headers: bearer, body: '{}' })
  expect(other.status).toBe(415)
  const headers = { authorization: 'Bearer ek_listen_any', 'content-type': 'application/sdp' }
  const listening = await fetch(`${gateway.url}/v1/realtime/calls`, { method: 'POST', headers, body: 'v=0' })
  expect(await listening.json()).toMatchObject({ code: 'invalid_request', detail: expect.stringContaining('WebRTC') })
})
