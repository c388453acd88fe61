import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { get as httpGet, type IncomingMessage, request } from 'node:http'
import { readAvatarModels } from '@parlance/models/avatars'
import { expectError } from './expect-error.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

const { model, thumbnail } = readAvatarModels()[0]!
const path = `/assets/avatars/${model.sha256}.glb`

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

const get = (headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${gateway.url}${path}`, { method, headers })
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

test('an avatar is served without a key, to any page, cached forever, and its hash is in its URL', async () => {
  const response = await get()
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'model/gltf-binary',
    'content-length': String(model.size_bytes),
    'cache-control': 'public, max-age=31536000, immutable',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    etag: `"${model.sha256}"`,
  })
  expect(
    createHash('sha256')
      .update(await bytesOf(response))
      .digest('hex'),
  ).toBe(model.sha256)
})

test('its picture is served in the same way', async () => {
  const response = await fetch(`${gateway.url}/assets/avatars/${thumbnail.sha256}.webp`)
  expect(response.headers.get('content-type')).toBe('image/webp')
  expect(await bytesOf(response)).toHaveLength(thumbnail.size_bytes)
})

test('HEAD gets only the headers', async () => {
  const response = await get({}, 'HEAD')
  expect(response.headers.get('content-length')).toBe(String(model.size_bytes))
  expect(await bytesOf(response)).toHaveLength(0)
})

test('a range is answered with 206 and its bytes', async () => {
  const whole = await bytesOf(await get())
  const part = await get({ range: 'bytes=100-199', 'if-range': `"${model.sha256}"` })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${model.size_bytes}`])
  expect((await bytesOf(part)).equals(whole.subarray(100, 200))).toBe(true)
  const end = await get({ range: 'bytes=-10' })
  expect((await bytesOf(end)).equals(whole.subarray(-10))).toBe(true)
})

test('a range with the ETag of another file is answered with the whole file', async () => {
  const response = await get({ range: 'bytes=0-9', 'if-range': '"another"' })
  expect(response.status).toBe(200)
  expect(await bytesOf(response)).toHaveLength(model.size_bytes)
})

test('a range beyond the end is 416 with the size of the file', async () => {
  const response = await get({ range: `bytes=${model.size_bytes}-` })
  expect(response.headers.get('content-range')).toBe(`bytes */${model.size_bytes}`)
  expect(response.headers.get('cache-control')).toBe('no-store')
  await expectError(response, 'range_not_satisfiable', String(model.size_bytes))
})

test('a client that has the file gets 304 without it', async () => {
  // Not with fetch, which requests a fresh copy when it sends this header.
  const headers = { 'if-none-match': `"${model.sha256}"` }
  const [response] = await once(request(`${gateway.url}${path}`, { headers, agent: false }).end(), 'response')
  response.resume()
  expect([response.statusCode, response.headers.etag]).toEqual([304, `"${model.sha256}"`])
})

test('a client that resets its connection in the middle of a download is logged with 499, not as a failure', async () => {
  const clients = 50
  const linesBefore = gateway.lines.length
  const leave = async () => {
    const asked = httpGet(`${gateway.url}${path}`, { agent: false })
    asked.on('error', () => undefined)
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    response.on('error', () => undefined)
    response.socket.resetAndDestroy()
  }
  for (let n = 0; n < clients; n++) await leave()
  const logged = () => gateway.lines.slice(linesBefore)
  while (logged().filter(({ msg }) => msg === 'A request ended').length < clients) await new Promise(setImmediate)
  expect(logged().filter(({ msg }) => msg !== 'A request ended')).toEqual([])
  const statuses = logged().map(({ status }) => status)
  // A few responses may have been sent completely before the reset arrived.
  expect(statuses.filter((status) => status !== 499 && status !== 200)).toEqual([])
  expect(statuses).toContain(499)
})

test.each([`${'0'.repeat(64)}.glb`, `${model.sha256}.webp`, model.sha256, 'manifest.json', '..%2fmanifest.json'])(
  '%s is not found',
  async (file) => {
    const response = await fetch(`${gateway.url}/assets/avatars/${file}`)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    await expectError(response, 'not_found', 'There is nothing at this path.')
  },
)
