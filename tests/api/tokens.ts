import { randomUUID } from 'node:crypto'
import type { Voice } from '@parlance/contracts'
import { type Answer, type Api, createApi, expectError, tokenOf } from '../api.js'
import { newKey, onPlatform } from '../platforms.js'

export const tokens = onPlatform('tokens over HTTP', (platform) => {
  let api: Api
  let voice: Voice
  let slugs = 0

  const create = async (fields: object = {}, by = api): Promise<string> => {
    const { status, body } = await by.post('/v1/agents', {
      slug: `agent-${++slugs}`,
      display_name: 'Front desk',
      llm_provider: 'builtin',
      llm_model: 'rules',
      voice_id: voice.id,
      voice_config: { tts_variant: voice.variants[0]!.id },
      ...fields,
    })
    expect(status).toBe(201)
    return body.id
  }
  const createPublished = async (fields: object = {}, by = api): Promise<string> => {
    const id = await create(fields, by)
    expect((await by.post(`/v1/agents/${id}/publish`)).status).toBe(201)
    return id
  }
  const mint = (id: string, body?: unknown, by = api) => by.post(`/v1/agents/${id}/session-tokens`, body)
  const tokenFor = async (id: string, by = api): Promise<string> => tokenOf(await mint(id, undefined, by))
  const startSession = (id: string, token: string, body: unknown = { transport: 'websocket' }, headers: object = {}) =>
    api.post(`/v1/agents/${id}/sessions`, body, { authorization: `Bearer ${token}`, ...headers })
  const expectStarted = ({ status, body }: Answer) => {
    expect(status).toBe(201)
    expect(body.session_id).toMatch(/^[0-9a-f-]{36}$/)
  }

  beforeAll(async () => {
    api = createApi(platform().urls[0], (await newKey(platform())).authorization)
    voice = await api.voice()
  })

  test('a session token is minted for a published Agent, and its answer must not be cached', async () => {
    const id = await create()
    expectError(await mint(id), 409, 'agent_not_published')
    await api.post(`/v1/agents/${id}/publish`)
    const { status, headers, body } = await mint(id.toUpperCase(), { end_user_id: randomUUID().toUpperCase() })
    expect(status).toBe(201)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      token: expect.stringMatching(/^awst_[0-9A-Za-z]{38}$/),
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      agent_id: id,
      capabilities: { managed_voice_agent: true, transport: 'webrtc' },
    })
  })

  test('a token starts one conversation, with its own Agent', async () => {
    const id = await createPublished()
    const token = await tokenFor(id)
    for (const other of [await createPublished(), randomUUID(), 'front-desk']) {
      expectError(await startSession(other, token), 403, 'session_token_agent_mismatch')
    }
    const racers = Array.from({ length: 20 }, () => startSession(id, token))
    const outcomes = await Promise.all(racers)
    expect(outcomes.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
    expectError(await startSession(id, token), 409, 'session_token_used')
    expectError(await startSession(randomUUID(), token), 403, 'session_token_agent_mismatch')
  })

  test.each([
    ['nothing', undefined],
    ['no token', 'hello'],
    ['a key', `awp_dev_${'0'.repeat(38)}`],
    ['a token that never was', `awst_${'0'.repeat(38)}`],
    ['a stream token', 'stream'],
  ])('%s starts no conversation', async (_what, given) => {
    const id = await createPublished()
    const token = given === 'stream' ? tokenOf(await api.post('/v1/tts/stream-tokens')) : given
    const answer = await fetch(`${platform().urls[0]}/v1/agents/${id}/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: '{"transport":"websocket"}',
    })
    expectError({ status: answer.status, headers: answer.headers, body: await answer.json() }, 401, 'unauthorized')
  })

  test('a page starts conversations only from origins that the Agent allows, and can read the refusal', async () => {
    const id = await createPublished({ session_config: { allowed_origins: ['https://shop.example.com'] } })
    const token = await tokenFor(id)
    const from = (origin: string) => startSession(id, token, undefined, { origin })
    for (const origin of ['https://evil.example.com', 'http://shop.example.com', 'null']) {
      const refused = await from(origin)
      expectError(refused, 403, 'origin_not_allowed')
      expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    }
    expectStarted(await from('https://shop.example.com'))
    const open = await createPublished()
    expectStarted(await startSession(open, await tokenFor(open), undefined, { origin: 'https://any.example.com' }))
  })

  test('pages of the origins of a public Agent mint tokens without a key, so many an hour from one address', async () => {
    const origin = 'https://shop.example.com'
    const settings = { enabled: true, origins: [origin], per_address_per_hour: 2, daily_credit: '1' }
    const id = await createPublished()
    const page = createApi(platform().urls[0], '')
    const mintFrom = (from?: string, body?: object) =>
      page.post(`/v1/public/agents/${id}/session-tokens`, body, from === undefined ? {} : { origin: from })
    expectError(await mintFrom(origin), 404, 'agent_not_found')
    await api.patch(`/v1/agents/${id}`, { session_config: { public: settings } })
    expectError(await mintFrom(origin), 404, 'agent_not_found')
    await api.post(`/v1/agents/${id}/publish`)

    for (const other of [undefined, 'https://evil.example.com', 'http://shop.example.com', 'null']) {
      expectError(await mintFrom(other), 403, 'origin_not_allowed')
    }
    expectError(await mintFrom(origin, { end_user_id: randomUUID() }), 400, 'invalid_request')
    const minted = await mintFrom(origin)
    expect(minted.headers.get('access-control-allow-origin')).toBe('*')
    const token = tokenOf(minted)
    expectError(await startSession(id, token), 403, 'origin_not_allowed')
    expectError(
      await startSession(id, token, undefined, { origin: 'https://evil.example.com' }),
      403,
      'origin_not_allowed',
    )
    expectStarted(await startSession(id, token, undefined, { origin }))
    tokenOf(await mintFrom(origin))
    const limited = await mintFrom(origin)
    expectError(limited, 429, 'rate_limited')
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(60)
    expect((await mint(id)).status).toBe(201)
  })

  test.each([
    ['memory', { memory_enabled: true }, { daily_credit: '1' }],
    ['the calendar', { calendar_enabled: true }, { daily_credit: '1' }],
    ['no credit of the day', {}, {}],
  ])('an Agent with %s is not published as a public one', async (_what, fields, settings) => {
    const id = await create({ ...fields, session_config: { public: { enabled: true, ...settings } } })
    expectError(await api.post(`/v1/agents/${id}/publish`), 422, 'agent_not_publishable')
  })

  test.each([
    ['no body', '', 'invalid_json'],
    ['an offer without SDP', { transport: 'webrtc' }, 'invalid_request'],
    ['an unknown field', { transport: 'websocket', color: 'red' }, 'invalid_request'],
    ['an unknown mode', { transport: 'websocket', input_mode: 'telepathy' }, 'invalid_request'],
  ])('a conversation is not started with %s', async (_what, body, code) => {
    const id = await createPublished()
    expectError(await startSession(id, await tokenFor(id), body), 400, code)
  })

  test('a token for an Agent with memory needs an end user id, once its draft is published', async () => {
    const id = await createPublished()
    await api.patch(`/v1/agents/${id}`, { memory_enabled: true })
    expect((await mint(id)).status).toBe(201)
    await api.post(`/v1/agents/${id}/publish`)
    expectError(await mint(id), 400, 'memory_identity_required')
    expectError(await mint(id, { end_user_id: 'not-a-uuid' }), 400, 'invalid_request')
    expect((await mint(id, { end_user_id: randomUUID() })).status).toBe(201)
  })

  test('no token is minted for an Agent without a TTS variant, or one that is deleted', async () => {
    expectError(await mint(await createPublished({ voice_config: {} })), 409, 'agent_not_api_ready')
    const id = await createPublished()
    const token = await tokenFor(id)
    await api.delete(`/v1/agents/${id}`)
    for (const gone of [id, randomUUID(), 'front-desk']) expectError(await mint(gone), 404, 'agent_not_found')
    expectError(await startSession(id, token), 404, 'agent_not_found')
  })

  test('without credit no token is minted, and without enough credit a token starts no conversation', async () => {
    const { workspace, authorization } = await newKey(platform(), { credit: null })
    const poor = createApi(platform().urls[0], authorization)
    const id = await createPublished({}, poor)
    expectError(await mint(id, undefined, poor), 402, 'insufficient_credit')
    expectError(await poor.post('/v1/tts/stream-tokens'), 402, 'insufficient_credit')
    await platform().credit.grant({ workspace_id: workspace.id, amount: '0.000000001', reference: 'alms' })
    const token = await tokenFor(id, poor)
    expectError(await startSession(id, token), 402, 'insufficient_credit')
    await platform().credit.grant({ workspace_id: workspace.id, amount: '1', reference: 'pay' })
    expectStarted(await startSession(id, token))
    expect((await poor.post('/v1/tts/stream-tokens')).status).toBe(201)
  })

  test('a workspace that is suspended, or no longer has the capability for Agents, starts no conversation', async () => {
    const { workspace, authorization } = await newKey(platform())
    const other = createApi(platform().urls[0], authorization)
    const id = await createPublished({}, other)
    const token = await tokenFor(id, other)
    await platform().auth.updateWorkspace({ workspace_id: workspace.id, capabilities: ['tts'] })
    expectError(await startSession(id, token), 403, 'capability_disabled')
    await platform().auth.updateWorkspace({ workspace_id: workspace.id, suspended: true })
    expectError(await startSession(id, token), 403, 'organization_suspended')
    expectError(await mint(id, undefined, other), 403, 'organization_suspended')
    await platform().auth.updateWorkspace({ workspace_id: workspace.id, suspended: false, capabilities: ['agents'] })
    expectStarted(await startSession(id, token))
    expectError(await other.post('/v1/tts/stream-tokens'), 403, 'capability_disabled')
  })

  test('the answer with a stream token contains its URL, and one Idempotency-Key always gives the same token', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const body = { voice_id: voice.id, max_characters: 100 }
    const [first, second] = [
      await api.post('/v1/tts/stream-tokens', body, key),
      await api.post('/v1/tts/stream-tokens', body, key),
    ]
    expect(first.status).toBe(201)
    expect(first.headers.get('cache-control')).toBe('no-store')
    expect(first.body).toEqual({
      token: expect.stringMatching(/^awtt_[0-9A-Za-z]{38}$/),
      expires_at: expect.any(String),
      websocket_url: `${platform().urls[0].replace('http', 'ws')}/v1/tts/stream`,
      protocol: 'awp.tts.v1',
    })
    expect(second.body).toEqual(first.body)
    expectError(
      await api.post('/v1/tts/stream-tokens', { ...body, max_characters: 1 }, key),
      409,
      'idempotency_conflict',
    )
    for (const wrong of [{ max_characters: 0 }, { voice_id: 'Ada' }, { color: 'red' }]) {
      expectError(await api.post('/v1/tts/stream-tokens', wrong), 400, 'invalid_request')
    }
  })
})
