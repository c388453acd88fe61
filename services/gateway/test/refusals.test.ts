import { gzipSync } from 'node:zlib'
import { expectError } from './expect-error.js'
import { voiceId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

const ask = (method: string, path: string) => fetch(`${gateway.url}${path}`, { method })

test.each([
  '/v1',
  '/v1/nothing',
  '/V1/voices',
  '/v1/tts/x',
  '/docs/nothing.js',
  '/docs/index.html',
  '/docs/..%2fmain.js',
  '/docs/api/nothing.js',
  '/docs/api/index.html',
  '/docs/api/..%2fmain.js',
  '/play/index.html',
  '/play/..%2fdocs%2fapi',
  '/favicon.ico',
  // For operators, only on HEALTH_PORT.
  '/healthz',
  '/readyz',
  '/metrics',
])('%s is not found', async (path) => {
  await expectError(await ask('GET', path), 'not_found')
})

test.each([
  ['GET', '/v1/tts', 'POST, OPTIONS'],
  ['PUT', '/v1/audio/speech', 'POST, OPTIONS'],
  ['POST', '/v1/voices', 'GET, HEAD, OPTIONS'],
  ['DELETE', '/v1/voices', 'GET, HEAD, OPTIONS'],
  ['POST', '/', 'GET, HEAD, OPTIONS'],
  ['PATCH', '/v1/openapi.json', 'GET, HEAD, OPTIONS'],
])('%s %s is refused with the list of allowed methods', async (method, path, allow) => {
  const response = await ask(method, path)
  await expectError(response, 'method_not_allowed')
  expect(response.headers.get('allow')).toBe(allow)
})

test('HEAD where there is no GET is refused without a body', async () => {
  const response = await ask('HEAD', '/v1/tts')
  expect(response.status).toBe(405)
  expect(await response.text()).toBe('')
})

test('OPTIONS lists the methods, and allows no other origin', async () => {
  const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' }
  const response = await fetch(`${gateway.url}/v1/tts`, { method: 'OPTIONS', headers })
  expect(response.status).toBe(204)
  expect(response.headers.get('allow')).toBe('POST, OPTIONS')
  expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
})

test.each([
  ['no JSON', '{"text":', 'invalid_json'],
  ['nothing', '', 'invalid_json'],
  ['invalid UTF-8', Uint8Array.from([0x22, 0xff, 0x22]), 'invalid_json'],
  ['128 KiB and a byte', `"${'x'.repeat(128 * 1024 - 1)}"`, 'payload_too_large'],
  ['128 KiB', `"${'x'.repeat(128 * 1024 - 2)}"`, 'invalid_request'],
  ['65 levels', '['.repeat(65) + ']'.repeat(65), 'invalid_json'],
  ['64 levels', '['.repeat(64) + ']'.repeat(64), 'invalid_request'],
  ['10,000 levels', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, 'invalid_json'],
] as const)('a body of %s is refused', async (_what, body, code) => {
  await expectError(await gateway.post('/v1/tts', body), code)
})

test('a body without a length is refused when it passes the limit', async () => {
  const body = new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(64 * 1024))
    },
  })
  const headers = { authorization: 'Bearer awp_dev_good', 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body, duplex: 'half' }
  await expectError(await fetch(`${gateway.url}/v1/tts`, init as RequestInit), 'payload_too_large', '128 KiB')
})

test.each([
  [{ 'content-type': 'text/plain' }, 'application/json'],
  [{ 'content-type': '' }, 'application/json'],
  [{ 'content-type': 'application/jsonp' }, 'application/json'],
  [{ 'content-type': 'application/json; charset=utf-16' }, 'UTF-8'],
  [{ 'content-encoding': 'gzip' }, 'content-encoding'],
])('a body sent with %j is refused', async (headers, detail) => {
  const body = 'content-encoding' in headers ? gzipSync('{}') : '{}'
  const response = await gateway.post('/v1/tts', body, { headers: headers as Record<string, string> })
  await expectError(response, 'unsupported_media_type', detail)
})

test.each(['application/json', 'Application/JSON ; Charset="UTF-8"', 'application/json;profile=x'])(
  'a body sent as %s is read',
  async (contentType) => {
    const body = { text: 'Hello', voice_id: voiceId }
    const response = await gateway.post('/v1/tts', body, { headers: { 'content-type': contentType } })
    expect(await response.text()).toBe('Hello')
  },
)

test('a valid request id is kept, and any other is replaced', async () => {
  const idFor = async (id: string) =>
    (await gateway.get('/v1/openapi.json', { 'x-request-id': id })).headers.get('x-request-id')
  expect(await idFor('order-4711:retry.2')).toBe('order-4711:retry.2')
  for (const id of ['short', 'x'.repeat(129), 'with space', '"quoted-id"']) {
    expect(await idFor(id)).toMatch(/^[0-9a-f-]{36}$/)
  }
})

test('no header names the software of the server', async () => {
  const response = await gateway.get('/v1/nothing')
  expect(response.headers.get('x-powered-by')).toBeNull()
  expect(response.headers.get('server')).toBeNull()
})
