import { randomUUID } from 'node:crypto'
import { expectError } from './expect-error.js'
import { agentId } from './fake-agents.js'
import { workspaceId } from './fake-services.js'
import { sessionsInstance } from './fake-sessions.js'
import { type OpenGateway, openGateway } from './open-gateway.js'
import { sessionCalls, sessionsPath } from './session-calls.js'

let gateway: OpenGateway
beforeEach(async () => {
  gateway = await openGateway()
})
afterEach(() => gateway.close())

const { call, start, started } = sessionCalls(() => gateway)

describe('starting a conversation', () => {
  test('passes on the grant of the token, and responds with the address of the conversation', async () => {
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
    'answers %s as the sessions service does',
    async (code) => {
      gateway.sessions.state.refusal = code
      await expectError(await start(), code)
    },
  )

  test('tries other instances, and answers capacity_exhausted when none has room', async () => {
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

  test('is executed once for an Idempotency-Key of the same token, although that consumes the token', async () => {
    const key = { 'idempotency-key': 'try-1' }
    const first = await start(undefined, key)
    const second = await start(undefined, key)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(await second.json()).toEqual(await first.json())
    expect(gateway.sessions.state.started).toBe(1)
    // The holder of another token may have chosen the same key, and must not get this conversation.
    await expectError(
      await start(undefined, { ...key, authorization: 'Bearer awst_session_token_used' }),
      'session_token_used',
    )
  })
})

describe('the token that started a conversation', () => {
  test('continues it with candidates and an offer, and ends it', async () => {
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

  test('is accepted for its conversation after it has expired', async () => {
    const { session_id } = await started()
    const token = 'awst_session_token_expired'
    const place = await gateway.registry.locate(session_id)
    const { createHash } = await import('node:crypto')
    const token_sha256 = createHash('sha256').update(token).digest('hex')
    await gateway.registry.put(session_id, { ...place!, token_sha256 }, 60_000)
    expect((await call('DELETE', `${sessionsPath}/${session_id}`, undefined, token)).status).toBe(204)
    // Any other expired token is refused.
    await expectError(
      await call('DELETE', `${sessionsPath}/${randomUUID()}`, undefined, token),
      'session_token_expired',
    )
  })

  test('does not find conversations of others, and gets session_ended for one that has ended', async () => {
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

  test('gets session_ended for a conversation whose instance has stopped', async () => {
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
