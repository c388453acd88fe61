import { expectError } from './expect-error.js'
import { agentId } from './fake-agents.js'
import { keyId, keys, workspaceId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

const sessions = `/v1/agents/${agentId}/sessions`
const sessionTokens = `/v1/agents/${agentId}/session-tokens`

const start = (token: string, body: unknown = { transport: 'websocket' }, headers: Record<string, string> = {}) =>
  gateway.post(sessions, body, { headers: { authorization: `Bearer ${token}`, ...headers } })

test('a session token is minted for the key of the request, and a body is not needed', async () => {
  const nothing = { end_user_id: null, variables: {}, metadata: {} }
  for (const [body, context] of [
    ['', nothing],
    ['{}', nothing],
    [
      '{"end_user_id":"0B5C6A52-2F7A-4F0E-9F4E-3A8F2F8A1B7D"}',
      { ...nothing, end_user_id: '0b5c6a52-2f7a-4f0e-9f4e-3a8f2f8a1b7d' },
    ],
    [
      '{"variables":{"name":"Ada"},"metadata":{"plan":{"level":3}}}',
      { ...nothing, variables: { name: 'Ada' }, metadata: { plan: { level: 3 } } },
    ],
  ] as const) {
    const response = await gateway.post(sessionTokens, body)
    expect(response.status).toBe(201)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const asked = { workspace_id: workspaceId, key_id: keyId, agent_id: agentId }
    expect(gateway.tokenRequests.mintSessionToken).toEqual({ ...asked, ...context })
  }
})

test.each([
  ['end_user_id', { end_user_id: 'bob' }],
  ['end_user_id', { end_user_id: null }],
  ['color', { color: 'red' }],
  ['variables', { variables: { 'first name': 'Ada' } }],
  ['variables', { variables: { level: 3 } }],
  ['variables', { variables: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`v${index}`, ''])) }],
  [
    'variables',
    { variables: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`v${index}`, '€'.repeat(300)])) },
  ],
  ['metadata', { metadata: ['gold'] }],
  ['metadata', { metadata: { text: '€'.repeat(5_500) } }],
])('a request for a session token with an invalid %s is refused', async (field, body) => {
  await expectError(await gateway.post(sessionTokens, body), 'invalid_request', field)
})

test('tokens need the capability for their purpose', async () => {
  const by = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })
  await expectError(await gateway.post(sessionTokens, {}, by(keys.withoutAgents)), 'capability_disabled')
  await expectError(await gateway.post('/v1/tts/stream-tokens', {}, by(keys.withoutTts)), 'capability_disabled')
  await expectError(await gateway.post('/v1/listen/tokens', {}, by(keys.withoutStt)), 'capability_disabled')
  await expectError(await gateway.post(sessionTokens, {}, by(keys.suspended)), 'organization_suspended')
  await expectError(await gateway.post(sessionTokens, {}, by('awst_good')), 'unauthorized')
})

test.each(['unauthorized', 'session_token_expired', 'session_token_agent_mismatch', 'session_token_used'] as const)(
  'a token that is refused as %s is refused with that code, with any body',
  async (code) => {
    await expectError(await start(`awst_${code}`, '{"transport":'), code)
  },
)

test('the id in the path is passed on unchanged', async () => {
  await gateway.post(`/v1/agents/${'x'.repeat(3_000)}/sessions`, {}, { headers: { authorization: 'Bearer awst_good' } })
  expect(gateway.tokenRequests.checkSessionToken).toEqual({ token: 'awst_good', agent_id: 'x'.repeat(3_000) })
})

const streamUrlIn = async (response: Response) => ((await response.json()) as { websocket_url: string }).websocket_url

test('the address of the stream is on the host of the request, also behind a proxy', async () => {
  const urlWith = async (headers: Record<string, string>) => {
    const response = await gateway.post('/v1/tts/stream-tokens', '', { headers })
    expect(response.status).toBe(201)
    return streamUrlIn(response)
  }
  expect(await urlWith({})).toBe(`${gateway.url.replace('http', 'ws')}/v1/tts/stream`)
  expect(await urlWith({ 'x-forwarded-proto': 'https' })).toMatch(/^wss:/)
  expect(gateway.tokenRequests.mintStreamToken).toEqual({
    workspace_id: workspaceId,
    key_id: keyId,
    voice_id: null,
    max_characters: null,
  })
})

test('the address of the stream is at PUBLIC_URL when the operator has set it', async () => {
  const published = await openGateway({ publicUrl: 'https://speech.example.com/voice' })
  const response = await published.post('/v1/tts/stream-tokens', '')
  expect(await streamUrlIn(response)).toBe('wss://speech.example.com/voice/v1/tts/stream')
  await published.close()
})

test('a page of any origin may send requests and read every response', async () => {
  const preflight = await fetch(`${gateway.url}${sessions}`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://page.example.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-methods')).toBe('POST')
  expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization')
  for (const answer of [preflight, await start('awst_good'), await start('awst_unauthorized')]) {
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  }
  const elsewhere = await gateway.get('/v1/agents', { origin: 'https://page.example.com' })
  expect(elsewhere.headers.get('access-control-allow-origin')).toBeNull()
})

test('a conversation is requested in JSON, by POST', async () => {
  await expectError(await start('awst_good', '', { 'content-type': 'text/plain' }), 'unsupported_media_type')
  await expectError(await gateway.get(sessions), 'method_not_allowed')
  await expectError(await start('awst_good', {}, { accept: 'audio/mpeg' }), 'not_acceptable')
  await expectError(await start('awst_good', { metadata: { a: 'x'.repeat(200_000) } }), 'payload_too_large')
})
