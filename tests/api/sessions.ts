import { randomUUID } from 'node:crypto'
import type { Voice } from '@parlance/contracts'
import { type Api, createApi, expectError, tokenOf } from '../api.js'
import { eventually } from '../eventually.js'
import { newKey, onPlatform } from '../platforms.js'
import { connectSession, type SessionPeer } from '../session-peer.js'

export const sessions = onPlatform('a conversation over a WebSocket', (platform) => {
  let voice: Voice
  const peers: SessionPeer[] = []

  const newApi = async (credit?: string) => {
    const { workspace, authorization } = await newKey(platform(), credit === undefined ? {} : { credit })
    return { workspace, api: createApi(platform().urls[0], authorization) }
  }
  const createAgent = async (api: Api, fields: object = {}): Promise<string> => {
    const { body } = await api.post('/v1/agents', {
      slug: `agent-${randomUUID().slice(0, 8)}`,
      display_name: 'Front desk',
      voice_id: voice.id,
      // The audio is sent in real time, so a fast voice makes the tests shorter.
      voice_config: { tts_variant: voice.variants[0]!.id, speed: 2 },
      llm_provider: 'builtin',
      llm_model: 'rules',
      ...fields,
    })
    expect((await api.post(`/v1/agents/${body.id}/publish`)).status).toBe(201)
    return body.id
  }
  const mint = async (api: Api, agentId: string): Promise<string> =>
    tokenOf(await api.post(`/v1/agents/${agentId}/session-tokens`))
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const start = (api: Api, agentId: string, token: string, headers: Record<string, string> = {}) =>
    api.post(`/v1/agents/${agentId}/sessions`, { transport: 'websocket' }, { ...bearer(token), ...headers })

  /** Starts a conversation and connects to it through the last gateway. */
  const talk = async (api: Api, agentId: string, { token = '', ...headers }: Record<string, string> = {}) => {
    if (token === '') token = await mint(api, agentId)
    const { status, body } = await start(api, agentId, token, headers)
    expect(status).toBe(201)
    const lastGateway = platform().urls.at(-1)!.replace('http', 'ws')
    const peer = await connectSession(`${lastGateway}${new URL(body.websocket_url).pathname}`, token)
    peers.push(peer)
    peer.send({ event: 'client.ready' })
    await peer.event('session.ready')
    return { peer, token, sessionId: body.session_id as string }
  }

  beforeAll(async () => {
    const { api } = await newApi()
    voice = await api.voice()
  })
  afterAll(() => {
    for (const { socket } of peers) socket.terminate()
  })

  test('visitors of a public Agent talk until its credit of the day is used up, which is exactly what they used', async () => {
    const { api } = await newApi()
    const origin = 'https://shop.example.com'
    const agentId = await createAgent(api, {
      first_message: 'Hi!',
      session_config: {
        overrides: ['first_message'],
        public: { enabled: true, origins: [origin], daily_credit: '0.000000001' },
      },
    })
    const mintPublicly = () => api.post(`/v1/public/agents/${agentId}/session-tokens`, undefined, { origin })
    const [token, early] = [tokenOf(await mintPublicly()), tokenOf(await mintPublicly())]
    const overriding = { transport: 'websocket', overrides: { first_message: 'Ha.' } }
    const refused = await api.post(`/v1/agents/${agentId}/sessions`, overriding, { ...bearer(token), origin })
    expectError(refused, 400, 'invalid_request')
    const { peer, sessionId } = await talk(api, agentId, { token, origin })
    await peer.event('transcript', ({ role, final }) => role === 'agent' && final)
    await api.delete(`/v1/agents/${agentId}/sessions/${sessionId}`, bearer(token))
    await peer.closed
    await eventually(async () => ((await api.get('/v1/credit')).body.reserved === '0.00' ? true : undefined))

    expectError(await mintPublicly(), 402, 'insufficient_credit')
    expectError(await start(api, agentId, early, { origin }), 402, 'insufficient_credit')
    const { body: record } = await api.get(`/v1/agent-sessions/${sessionId}`)
    const { usage } = (await api.get('/v1/usage?group_by=api_key')).body
    expect(usage).toMatchObject([{ key: agentId, credit_used: record.credit_used }])
    // The limit is of visitors only.
    expect((await api.post(`/v1/agents/${agentId}/session-tokens`)).status).toBe(201)
  })

  test('takes text, is answered in speech, is recorded, and charges exactly its cost', async () => {
    const { workspace, api } = await newApi()
    const agentId = await createAgent(api, { first_message: 'Hi!' })
    const { peer, token, sessionId } = await talk(api, agentId)
    await peer.event('transcript', ({ role, final }) => role === 'agent' && final)
    const id = randomUUID()
    peer.send({ event: 'text.send', id, text: 'What is your name?' })
    const isReply = ({ role, final, text }: { role: string; final: boolean; text: string }) =>
      role === 'agent' && final && text !== 'Hi!'
    const { text: reply } = await peer.event('transcript', isReply)
    expect(peer.audioBytes()).toBeGreaterThan(24_000)
    await peer.event('alignment')

    const hungUp = await api.delete(`/v1/agents/${agentId}/sessions/${sessionId}`, bearer(token))
    expect(hungUp.status).toBe(204)
    expect(await peer.closed).toBe(1000)
    expect(peer.events.at(-1)).toEqual({
      event: 'session.ended',
      reason: 'user_disconnected',
      end_reason: 'user_disconnected',
    })
    expectError(await api.delete(`/v1/agents/${agentId}/sessions/${sessionId}`, bearer(token)), 409, 'session_ended')

    const { body: record } = await api.get(`/v1/agent-sessions/${sessionId}`)
    expect(record).toMatchObject({
      id: sessionId,
      agent_id: agentId,
      status: 'ended',
      end_reason: 'user_disconnected',
      error: null,
      transport: 'websocket',
      end_user_id: null,
      metadata: {},
    })
    expect(record.transcript).toMatchObject([
      { role: 'agent', text: 'Hi!' },
      { id, role: 'user', text: 'What is your name?' },
      { role: 'agent', text: reply },
    ])
    expect((await api.get(`/v1/agent-sessions/${sessionId}/messages?limit=1&order=desc`)).body).toMatchObject({
      messages: [{ text: reply }],
      next_cursor: expect.any(String),
    })
    const listed = await api.get(`/v1/agent-sessions?agent_id=${agentId}&status=ended`)
    expect(listed.body.sessions.map((session: { id: string }) => session.id)).toEqual([sessionId])

    // The cost in the record is that of the ledger, and the rest of the reservations has returned.
    await eventually(async () => {
      const { body } = await api.get('/v1/credit')
      return body.reserved === '0.00' ? body : undefined
    })
    const { body: usage } = await api.get('/v1/usage?group_by=agent')
    expect(usage.usage).toMatchObject([{ key: agentId, credit_used: record.credit_used }])
    expect(usage.usage[0]).toMatchObject({ tts_characters: record.usage.tts_characters })
    expect(record.usage.tts_characters).toBeGreaterThan(0)
    // The record has the clock of Postgres, the usage that of the service, which reads it a moment earlier.
    expect(Math.abs(usage.usage[0].session_seconds - record.duration_seconds)).toBeLessThan(5)
    const { workspaces } = await platform().credit.reconcile({ workspace_id: workspace.id })
    expect(workspaces).toMatchObject([{ spent: record.credit_used, ledger_difference: '0.00' }])
  })

  test('calls the tools of the page, and speaks their results', async () => {
    const { api } = await newApi()
    const tool = { type: 'client', description: 'Searches the shop.', parameters: {} }
    // The built-in model chooses tools by their names.
    const agentId = await createAgent(api, { tools: [{ ...tool, name: 'web_search' }] })
    const { peer } = await talk(api, agentId)
    peer.send({ event: 'text.send', id: randomUUID(), text: 'Search for green tea' })
    const call = await peer.event('tool.call')
    expect(call).toMatchObject({ name: 'web_search', arguments: { query: 'green tea' } })
    const result = { event: 'tool.result', tool_call_id: call.tool_call_id, result: 'Sold out.' }
    peer.send(result)
    const { text } = await peer.event('transcript', ({ role, final }) => role === 'agent' && final)
    expect(text).toBe('Sold out.')
    peer.send(result)
    await peer.event('error', ({ code }) => code === 'invalid_request')
  })

  test('contains the avatar of its Agent, since a browser has no key to request it', async () => {
    const { api } = await newApi()
    const [avatar] = (await api.get('/v1/avatars')).body.avatars
    const agentId = await createAgent(api, { avatar_id: avatar.id })
    const token = await mint(api, agentId)
    const { body } = await start(api, agentId, token)
    expect(body.avatar).toEqual(avatar)
    expect((await api.delete(`/v1/agents/${agentId}/sessions/${body.session_id}`, bearer(token))).status).toBe(204)
  })

  test('is ended when its record is deleted, and its record is not found afterwards', async () => {
    const { api } = await newApi()
    const agentId = await createAgent(api)
    const { peer, sessionId } = await talk(api, agentId)
    expect((await api.delete(`/v1/agent-sessions/${sessionId}`)).status).toBe(204)
    expect(await peer.closed).toBe(1000)
    for (const path of ['', '/messages']) {
      expectError(await api.get(`/v1/agent-sessions/${sessionId}${path}`), 404, 'session_not_found')
    }
  })

  test('is started once for an Idempotency-Key, through any gateway', async () => {
    const { api } = await newApi()
    const agentId = await createAgent(api)
    const token = await mint(api, agentId)
    const key = { 'idempotency-key': randomUUID() }
    const answers = await Promise.all(
      platform().urls.flatMap((url) => [
        start(createApi(url, ''), agentId, token, key),
        start(createApi(url, ''), agentId, token, key),
      ]),
    )
    const ids = answers.map(({ status, body }) => [status, body.session_id])
    expect(new Set(ids.map(String)).size).toBe(1)
    expect(ids[0]![0]).toBe(201)
    expect((await api.get('/v1/agent-sessions')).body.sessions).toHaveLength(1)
  })

  test('is refused beyond the limit of its Agent for simultaneous conversations', async () => {
    const { api } = await newApi()
    const agentId = await createAgent(api, { session_config: { max_concurrent_sessions: 3 } })
    const tokens = await Promise.all(Array.from({ length: 20 }, () => mint(api, agentId)))
    const apis = platform().urls.map((url) => createApi(url, ''))
    const answers = await Promise.all(tokens.map((token, index) => start(apis[index % apis.length]!, agentId, token)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    const refused = answers.findIndex(({ status }) => status !== 201)
    expectError(answers[refused]!, 429, 'concurrency_limited')
    // A refused start does not consume its token, and succeeds after another conversation has ended.
    const begun = answers.findIndex(({ status }) => status === 201)
    const { session_id } = answers[begun]!.body
    await api.delete(`/v1/agents/${agentId}/sessions/${session_id}`, bearer(tokens[begun]!))
    expect((await start(api, agentId, tokens[refused]!)).status).toBe(201)
  })

  test('that is refused does not consume its token', async () => {
    const { workspace, api } = await newApi('0.000000001')
    const agentId = await createAgent(api)
    const token = await mint(api, agentId)
    const offer = (sdp: string) =>
      api.post(`/v1/agents/${agentId}/sessions`, { sdp: { type: 'offer', sdp } }, bearer(token))
    expectError(await start(api, agentId, token), 402, 'insufficient_credit')
    expectError(await offer('v=0'), 400, 'invalid_sdp')
    await platform().credit.grant({ workspace_id: workspace.id, amount: '1', reference: 'more' })
    expect((await start(api, agentId, token)).status).toBe(201)
    expectError(await start(api, agentId, token), 409, 'session_token_used')
  })
})
