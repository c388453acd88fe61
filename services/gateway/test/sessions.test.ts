import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { sessionEventLimits } from '@parlance/contracts'
import { expectError } from './expect-error.js'
import { agentId } from './fake-agents.js'
import { keys, otherWorkspaceId, workspaceId } from './fake-services.js'
import { sessionsInstance } from './fake-sessions.js'
import { type OpenGateway, openGateway } from './open-gateway.js'
import { connectSession, type SessionClient } from './session-client.js'

let gateway: OpenGateway
const clients: SessionClient[] = []
beforeEach(async () => {
  gateway = await openGateway()
})
afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.terminate()
  await gateway.sessionSockets.stop(0)
  await gateway.close()
})

const sessionsPath = `/v1/agents/${agentId}/sessions`
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const start = (body: unknown = { transport: 'websocket' }, headers: Record<string, string> = {}) =>
  gateway.post(sessionsPath, body, { headers: { ...bearer('awst_good'), ...headers } })
const started = async (body?: unknown) => {
  const response = await start(body)
  expect(response.status).toBe(201)
  return (await response.json()) as Record<string, string> & { session_id: string; websocket_url: string }
}
const call = (method: string, path: string, body?: unknown, token = 'awst_good') =>
  fetch(`${gateway.url}${path}`, {
    method,
    headers: { ...bearer(token), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
const connect = (url: string, token = 'awst_good') => {
  const client = connectSession(url, token)
  clients.push(client)
  return client
}

describe('starting a conversation', () => {
  test('passes on what the token is good for, and answers with the way to the conversation', async () => {
    const webrtc = await started({ sdp: { type: 'offer', sdp: 'v=0' } })
    expect(webrtc).toMatchObject({ agent_id: agentId, status: 'connecting', sdp: { type: 'answer', sdp: 'v=0' } })
    expect(webrtc).not.toHaveProperty('websocket_url')
    expect(gateway.sessions.requests.startSession).toMatchObject({
      grant: { workspace_id: workspaceId, agent_id: agentId },
      token: 'awst_good',
      request: { transport: 'webrtc', input_mode: 'push-to-talk', modalities: ['audio', 'text'] },
    })
    const websocket = await started()
    expect(websocket).not.toHaveProperty('sdp')
    expect(websocket.websocket_url).toBe(
      `${gateway.url.replace('http', 'ws')}${sessionsPath}/${websocket.session_id}/stream`,
    )
    await expectError(await start({ transport: 'webrtc' }), 'invalid_request', 'sdp')
    await expectError(await start({ transport: 'websocket', metadata: { a: 'x'.repeat(17_000) } }), 'invalid_request')
  })

  test.each(['invalid_sdp', 'concurrency_limited', 'session_token_used', 'insufficient_credit'] as const)(
    'says %s as it was said',
    async (code) => {
      gateway.sessions.state.refusal = code
      await expectError(await start(), code)
    },
  )

  test('looks for room elsewhere, and says where there is none that there is no capacity', async () => {
    gateway.sessions.state.refusal = 'draining'
    const asked = start()
    setTimeout(() => {
      gateway.sessions.state.refusal = undefined
    }, 20)
    expect((await asked).status).toBe(201)
    gateway.liveSessions.setAvailable(false)
    const full = await start()
    expect(full.headers.get('retry-after')).not.toBeNull()
    await expectError(full, 'capacity_exhausted')
  })

  test('is done once for an Idempotency-Key of the same token, though the token is used up by it', async () => {
    const key = { 'idempotency-key': 'try-1' }
    const first = await start(undefined, key)
    const second = await start(undefined, key)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(await second.json()).toEqual(await first.json())
    expect(gateway.sessions.state.started).toBe(1)
    // Another token's holder may have chosen the same key, and is told nothing of this conversation.
    await expectError(await start(undefined, { ...key, ...bearer('awst_session_token_used') }), 'session_token_used')
  })
})

describe('the token that started a conversation', () => {
  test('goes on with it, by candidates, by an offer, and hangs up', async () => {
    const path = `${sessionsPath}/${(await started()).session_id}`
    const candidates = [{ candidate: 'candidate:1' }]
    const answers = await Promise.all([
      call('PATCH', path, { candidates }),
      call('PATCH', path, { sdp: { type: 'offer', sdp: 'v=0' } }),
    ])
    expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual([
      {},
      { sdp: { type: 'answer', sdp: 'v=1' } },
    ])
    await expectError(await call('PATCH', path, { sdp: { type: 'offer', sdp: 'broken' } }), 'invalid_sdp')
    await expectError(await call('PATCH', path, {}), 'invalid_request')
    expect((await call('DELETE', path)).status).toBe(204)
    expect(gateway.sessions.requests.endSession).toMatchObject({
      workspace_id: workspaceId,
      reason: 'user_disconnected',
    })
  })

  test('is asked for nothing else, so that it works when its own time is long over', async () => {
    const { session_id } = await started()
    const token = 'awst_session_token_expired'
    const place = await gateway.registry.locate(session_id)
    const { createHash } = await import('node:crypto')
    const token_sha256 = createHash('sha256').update(token).digest('hex')
    await gateway.registry.put(session_id, { ...place!, token_sha256 }, 60_000)
    expect((await call('DELETE', `${sessionsPath}/${session_id}`, undefined, token)).status).toBe(204)
    // Any other token of that kind is what it is.
    await expectError(
      await call('DELETE', `${sessionsPath}/${randomUUID()}`, undefined, token),
      'session_token_expired',
    )
  })

  test('finds nothing of others, and is told what has ended', async () => {
    const { session_id } = await started()
    const path = `${sessionsPath}/${session_id}`
    for (const unknown of [randomUUID(), 'x', 'X'.repeat(3_000)]) {
      await expectError(await call('DELETE', `${sessionsPath}/${unknown}`), 'session_not_found')
    }
    await expectError(await call('DELETE', path, undefined, 'awst_unauthorized'), 'unauthorized')
    await expectError(
      await call('DELETE', `/v1/agents/${randomUUID()}/sessions/${session_id}`),
      'session_token_agent_mismatch',
    )
    const place = (await gateway.registry.locate(session_id))!
    await gateway.registry.put(session_id, { ...place, token_sha256: '0'.repeat(64) }, 60_000)
    await expectError(await call('DELETE', path), 'session_not_found')
    await gateway.registry.end(session_id, place)
    await expectError(await call('PATCH', path, { candidates: [] }), 'session_ended')
  })

  test('is told that a conversation has ended whose instance is gone', async () => {
    const { session_id } = await started()
    await gateway.registry.leave(sessionsInstance)
    await expectError(await call('DELETE', `${sessionsPath}/${session_id}`), 'session_ended')
  })

  test('asks for STUN and TURN servers', async () => {
    const response = await call('GET', '/v1/ice-servers')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(await response.json()).toEqual({
      ice_servers: [{ urls: ['stun:stun.example.com:3478'] }],
      ttl_seconds: 600,
    })
    await expectError(await call('GET', '/v1/ice-servers', undefined, 'awst_unauthorized'), 'unauthorized')
  })

  test('may be used by pages of any origin', async () => {
    const preflight = await call('OPTIONS', `${sessionsPath}/${randomUUID()}`)
    expect(preflight.headers.get('access-control-allow-methods')).toBe('PATCH, DELETE')
  })
})

describe('the records', () => {
  test('are read with a key, by filters and pages', async () => {
    const { session_id } = await started()
    const record = await gateway.get(`/v1/agent-sessions/${session_id.toUpperCase()}`)
    expect(await record.json()).toMatchObject({ id: session_id, transcript: [] })
    const list = await gateway.get(
      `/v1/agent-sessions?limit=2&status=active&agent_id=${agentId}&started_after=2026-01-31T10:30:00%2B01:00`,
    )
    expect(((await list.json()) as { sessions: object[] }).sessions).toHaveLength(1)
    expect(gateway.sessions.requests.listSessions).toEqual({
      workspace_id: workspaceId,
      limit: 2,
      order: 'desc',
      status: 'active',
      agent_id: agentId,
      started_after: '2026-01-31T09:30:00.000Z',
    })
    expect(await (await gateway.get(`/v1/agent-sessions/${session_id}/messages?order=desc`)).json()).toEqual({
      messages: [],
      next_cursor: null,
    })
    const removed = await call('DELETE', `/v1/agent-sessions/${session_id}`, undefined, keys.good)
    expect(removed.status).toBe(204)
    expect(gateway.sessions.requests.deleteSession).toEqual({ workspace_id: workspaceId, session_id })
  })

  test.each(['status=over', 'agent_id=x', 'started_after=today', 'limit=0', 'page=2'])(
    'are not listed by %s',
    async (query) => {
      await expectError(await gateway.get(`/v1/agent-sessions?${query}`), 'invalid_request')
    },
  )

  test("are another workspace's, or nobody's, alike: not found", async () => {
    const { session_id } = await started()
    for (const id of [session_id, randomUUID(), 'x']) {
      const answer = await call('GET', `/v1/agent-sessions/${id}`, undefined, keys.ofOther)
      await expectError(answer, 'session_not_found')
    }
    expect(otherWorkspaceId).not.toBe(workspaceId)
  })

  test('need a key of a workspace that has Agents', async () => {
    await expectError(await call('GET', '/v1/agent-sessions', undefined, keys.withoutAgents), 'capability_disabled')
    await expectError(await call('GET', '/v1/agent-sessions'), 'unauthorized')
  })
})

describe('a conversation over a WebSocket', () => {
  const event = { kind: 'message', text: '{"event":"pong"}' } as const

  test('is sent what its instance sends, and is closed when that is over', async () => {
    gateway.sessions.state.sent = [event, { kind: 'audio', data: new Uint8Array(960).fill(3) }]
    const client = connect((await started()).websocket_url)
    expect(await client.closed).toEqual({ code: 1000, reason: 'the session has ended' })
    expect(client.socket.protocol).toBe('awp.session.v1')
    expect(client.events).toEqual([{ event: 'pong' }])
    expect(client.frames).toEqual([Buffer.alloc(960, 3)])
  })

  const nextTick = () => new Promise((resolve) => setImmediate(resolve))
  const receivedText = () =>
    gateway.sessions.received.flatMap((chunk) => (chunk.kind === 'message' ? [JSON.parse(chunk.text)] : []))
  const receivedAudio = () =>
    gateway.sessions.received.flatMap((chunk) => (chunk.kind === 'audio' ? [Buffer.from(chunk.data)] : []))

  test('brings what the client sends to its instance in order: text as text, audio as bytes', async () => {
    gateway.sessions.state.holdOpen = true
    const client = connect((await started()).websocket_url)
    await client.opened
    for (let n = 0; n < 40; n++) {
      client.send({ event: 'ping', n })
      client.sendAudio(Buffer.alloc(n, n))
    }
    while (gateway.sessions.received.length < 80) await nextTick()
    expect(gateway.sessions.received.map(({ kind }) => kind)).toEqual(
      Array.from({ length: 80 }, (_, index) => (index % 2 === 0 ? 'message' : 'audio')),
    )
    expect(receivedText().map(({ n }) => n)).toEqual(Array.from({ length: 40 }, (_, n) => n))
    expect(receivedAudio()).toEqual(Array.from({ length: 40 }, (_, n) => Buffer.alloc(n, n)))
  })

  test('reads no more of a client than its instance takes, and goes on where it stopped', async () => {
    const { state, received } = gateway.sessions
    state.holdOpen = true
    let makeRoom = () => {}
    state.room = new Promise((resolve) => {
      makeRoom = resolve
    })
    const client = connect((await started()).websocket_url)
    await client.opened
    // So many large messages that what the kernel and the stream hold is full, and fewer in a second than the limit.
    const text = 'x'.repeat(sessionEventLimits.message_bytes - 100)
    let sent = 0
    while (client.socket.bufferedAmount === 0 && sent < 2_000) {
      client.send({ event: 'ping', n: sent, text })
      sent += 1
      await new Promise((resolve) => setTimeout(resolve, 1_100 / sessionEventLimits.messages_per_second))
    }
    expect(client.socket.bufferedAmount).toBeGreaterThan(0)
    expect(received).toHaveLength(1)
    makeRoom()
    while (received.length < 20) await nextTick()
    expect(receivedText().map(({ n }) => n)).toEqual(Array.from({ length: received.length }, (_, n) => n))
  })

  test('goes on after a network that delayed audio for long: the excess is dropped', async () => {
    gateway.sessions.state.holdOpen = true
    const client = connect((await started()).websocket_url)
    await client.opened
    for (let n = 0; n < 500; n++) client.sendAudio(Buffer.alloc(960))
    client.send({ event: 'ping' })
    while (receivedText().length === 0) await nextTick()
    const frames = receivedAudio().length
    expect(frames).toBeGreaterThanOrEqual(sessionEventLimits.audio_frames_per_second)
    expect(frames).toBeLessThan(500)
    expect(client.socket.readyState).toBe(client.socket.OPEN)
    client.socket.close()
    await client.closed
  })

  test('ends its stream when the client hangs up, and breaks it when the connection is lost', async () => {
    const { state } = gateway.sessions
    state.holdOpen = true
    const leaving = connect((await started()).websocket_url)
    await leaving.opened
    leaving.socket.close(1000)
    while (state.left.length < 1) await nextTick()
    const lost = connect((await started()).websocket_url)
    await lost.opened
    lost.socket.terminate()
    while (state.left.length < 2) await nextTick()
    expect(state.left).toEqual(['hung up', 'lost'])
    expect(state.ended).toEqual([])
  })

  test.each([
    ['awst_unauthorized', 4401, 'unauthorized'],
    ['awst_session_token_expired', 4401, 'session_token_expired'],
  ])('is closed for the token %s, which is told', async (token, code, told) => {
    const client = connect((await started()).websocket_url, token)
    expect(await client.closed).toEqual({ code, reason: told })
    expect(client.events).toMatchObject([{ event: 'error', code: told }])
  })

  test('is closed where there is none, or none any more', async () => {
    const { session_id, websocket_url } = await started()
    const nowhere = connect(websocket_url.replace(session_id, randomUUID()))
    expect((await nowhere.closed).code).toBe(4404)
    await gateway.registry.end(session_id, (await gateway.registry.locate(session_id))!)
    expect((await connect(websocket_url).closed).code).toBe(4409)
  })

  test('is closed for messages that are too large or too many', async () => {
    gateway.sessions.state.holdOpen = true
    const large = connect((await started()).websocket_url)
    await large.opened
    large.socket.send('x'.repeat(sessionEventLimits.message_bytes + 1))
    expect((await large.closed).code).toBe(1009)
    const many = connect((await started()).websocket_url)
    await many.opened
    for (let n = 0; n < 200; n++) many.send({ event: 'ping' })
    expect((await many.closed).code).toBe(4429)
    expect(many.events).toMatchObject([{ event: 'error', code: 'rate_limited' }])
  })

  test('is an ordinary path for whoever asks for no WebSocket', async () => {
    await expectError(await call('GET', `${sessionsPath}/${randomUUID()}/stream`), 'invalid_request')
  })

  test('is drained with the gateway: its instance is asked at once to end it, and what that sends comes before the close', async () => {
    const { state, requests } = gateway.sessions
    state.holdOpen = true
    const over = { event: 'session.ended', reason: 'drained', end_reason: 'drained' }
    state.endWith = () => [{ kind: 'message', text: JSON.stringify(over) }]
    const client = connect((await started()).websocket_url)
    await client.opened
    while (requests.connectClient === undefined) await new Promise((resolve) => setImmediate(resolve))
    // The gateway would wait for an hour.
    await gateway.sessionSockets.stop(3_600_000)
    expect(requests.endSession).toMatchObject({ reason: 'drained', deadline_ms: 3_600_000 })
    expect(await client.closed).toEqual({ code: 1000, reason: 'the session has ended' })
    expect(client.events).toEqual([over])
    expect(state.ended).toEqual(['drained'])
  })

  test('is closed by a gateway that stops when its instance does not end it in time', async () => {
    gateway.sessions.state.holdOpen = true
    const client = connect((await started()).websocket_url)
    await once(client.socket, 'open')
    await gateway.sessionSockets.stop(10)
    expect((await client.closed).code).toBe(1001)
  })
})
