import { once } from 'node:events'
import { connect } from 'node:net'
import { errorBodySchema } from '@parlance/contracts'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

/** Sends raw bytes, and reads until the server closes the connection. */
const send = async (...parts: (string | Uint8Array)[]) => {
  const socket = connect(gateway.server.port, '127.0.0.1')
  const received: Buffer[] = []
  socket.on('data', (data) => received.push(data))
  // A server that closes the connection before it has read everything resets it, which `once` would take for a failure.
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  for (const part of parts) socket.write(part)
  await closed
  const [head = '', body = ''] = Buffer.concat(received).toString().split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head, body }
}

const head = (...lines: string[]) => `${[...lines, 'host: x', 'connection: close'].join('\r\n')}\r\n\r\n`
const post = (...lines: string[]) =>
  head('POST /v1/tts HTTP/1.1', 'authorization: Bearer awp_dev_good', 'content-type: application/json', ...lines)

test.each([
  ['bytes that are not HTTP', '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n', 400, 'invalid_request'],
  ['an unknown method', head('BREW /v1/tts HTTP/1.1'), 400, 'invalid_request'],
  ['an unknown version', head('GET / HTTP/9.9'), 400, 'invalid_request'],
  ['a header without a name', head('GET / HTTP/1.1', ': x'), 400, 'invalid_request'],
  ['headers that are too large', head('GET / HTTP/1.1', `x: ${'x'.repeat(20_000)}`), 400, 'invalid_request'],
  ['no host', 'GET /v1/openapi.json HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'invalid_request'],
  ['two hosts', head('GET /v1/openapi.json HTTP/1.1', 'Host: y'), 400, 'invalid_request'],
  ['the same host twice', head('GET /v1/openapi.json HTTP/1.1', 'HOST: x'), 400, 'invalid_request'],
  ['two hosts in HTTP/1.0', head('GET /v1/openapi.json HTTP/1.0', 'host: y'), 400, 'invalid_request'],
  ['an invalid host', 'GET /docs/api HTTP/1.1\r\nhost: a/b\r\nconnection: close\r\n\r\n', 400, 'invalid_request'],
  ['a length that is not a number', post('content-length: x'), 400, 'invalid_request'],
  ['two lengths', post('content-length: 2', 'content-length: 3'), 400, 'invalid_request'],
  ['a length and chunks', post('content-length: 2', 'transfer-encoding: chunked'), 400, 'invalid_request'],
  ['a broken chunk', `${post('transfer-encoding: chunked')}zz\r\n`, 400, 'invalid_request'],
  ['a target that is not a URL', head('GET http://[ HTTP/1.1'), 400, 'invalid_request'],
  ['a path that cannot be decoded', head('GET /dashboard/static/%ff HTTP/1.1'), 400, 'invalid_request'],
  ['a request for a tunnel', head('CONNECT x:443 HTTP/1.1'), 405, 'method_not_allowed'],
  ['an asterisk', head('OPTIONS * HTTP/1.1'), 404, 'not_found'],
  ['TRACE', head('TRACE /v1/voices HTTP/1.1'), 405, 'method_not_allowed'],
  ['a length beyond the limit, before any of the body', post('content-length: 999999'), 413, 'payload_too_large'],
  ['no length and no body', post(), 400, 'invalid_json'],
])('%s gets an error in the common form', async (_what, bytes, status, code) => {
  const answer = await send(bytes)
  expect(answer.status).toBe(status)
  expect(errorBodySchema.parse(JSON.parse(answer.body)).code).toBe(code)
  expect(answer.head).toContain('content-type: application/json')
})

test('an unknown expectation is ignored', async () => {
  expect((await send(head('GET /v1/openapi.json HTTP/1.1', 'expect: miracles'))).status).toBe(200)
})

test('a WebSocket handshake with two hosts is refused', async () => {
  const upgrade = ['upgrade: websocket', 'sec-websocket-version: 13', 'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==']
  const request = head('GET /v1/tts/stream HTTP/1.1', ...upgrade, 'host: y').replace(': close', ': upgrade')
  const answer = await send(request)
  expect(answer.status).toBe(400)
  expect(errorBodySchema.parse(JSON.parse(answer.body)).detail).toBe('There is more than one host header.')
})

test.each(['x', 'x:80', '[::1]:8080', 'a_b.example.com', ''])('the host %j is valid', async (host) => {
  const request = `GET /v1/openapi.json HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`
  expect((await send(request)).status).toBe(200)
})

test('an upgrade is ignored at a path without a WebSocket', async () => {
  const upgrade = head('GET /v1/openapi.json HTTP/1.1', 'upgrade: websocket').replace(
    'connection: close',
    'connection: upgrade',
  )
  const socket = connect(gateway.server.port, '127.0.0.1')
  socket.write(upgrade)
  const [data] = await once(socket, 'data')
  expect(data.toString()).toMatch(/^HTTP\/1\.1 200 /)
  socket.destroy()
})

test('a body that ends too early affects only its own connection', async () => {
  const socket = connect(gateway.server.port, '127.0.0.1').resume()
  socket.end(`${post('content-length: 100')}{"text"`)
  await once(socket, 'close')
  expect((await gateway.get('/v1/openapi.json')).status).toBe(200)
})

test('HTTP/1.0 needs no host', async () => {
  expect((await send('GET /v1/openapi.json HTTP/1.0\r\n\r\n')).status).toBe(200)
})

test('input that never became a request is also logged and counted', async () => {
  const { body } = await send('nonsense\r\n\r\n')
  const { request_id } = JSON.parse(body)
  expect(gateway.lines).toContainEqual(
    expect.objectContaining({ requestId: request_id, status: 400, route: 'unmatched' }),
  )
  expect(await gateway.metrics.text()).toContain(
    'http_request_method="_OTHER",http_route="",http_response_status_code="400"',
  )
})
