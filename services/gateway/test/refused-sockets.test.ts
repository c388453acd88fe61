import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { type OpenGateway, openGateway } from './open-gateway.js'
import { connectStream } from './stream-client.js'

/** The limit of `refused-sockets.ts` for one address. */
const maxSocketsPerAddress = 30

let gateway: OpenGateway
const sockets: Socket[] = []

beforeAll(async () => {
  gateway = await openGateway({ maxStreams: 3 })
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => gateway.close())

/** A client that presents a bad token and never closes. Resolves with the status of the upgrade response. */
const upgradeBadly = (
  path: string,
  token: string,
  { server } = gateway,
  forwardedFor = '192.0.2.1',
): Promise<number> => {
  const socket = connect(server.port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  socket.write(
    `GET ${path}?token=${token} HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: websocket\r\n` +
      `x-forwarded-for: ${forwardedFor}\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  )
  return new Promise((resolve) => {
    socket.once('data', (data: Buffer) => resolve(Number(data.toString().split(' ')[1])))
  })
}

const paths = [
  ['streams', '/v1/tts/stream', 'awtt_used'],
  [
    'conversations',
    '/v1/agents/0d0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d/sessions/1d0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d/stream',
    'awst_unauthorized',
  ],
] as const

test.each(paths)('open sockets with bad tokens are limited for one address of %s', async (_what, path, token) => {
  const statuses = await Promise.all(Array.from({ length: 40 }, () => upgradeBadly(path, token)))
  expect(statuses.filter((status) => status === 101)).toHaveLength(maxSocketsPerAddress)
  // Beyond the limit they are refused by HTTP, which keeps nothing open.
  expect(statuses.filter((status) => status === 401)).toHaveLength(40 - maxSocketsPerAddress)
})

test('sockets with bad tokens are counted by the address of the client behind a proxy that is trusted', async () => {
  const proxied = await openGateway({ trustedProxies: ['127.0.0.1'] })
  const open = (address: string) => upgradeBadly('/v1/tts/stream', 'awtt_used', proxied, address)
  const ofOne = await Promise.all(Array.from({ length: 40 }, () => open('192.0.2.1')))
  expect(ofOne.filter((status) => status === 101)).toHaveLength(maxSocketsPerAddress)
  expect(await open('192.0.2.2')).toBe(101)
  for (const socket of sockets.splice(0)) socket.destroy()
  await proxied.close()
})

test('sockets with bad tokens do not count towards the limit of streams with valid tokens', async () => {
  for (let n = 0; n < 40; n++) await upgradeBadly('/v1/tts/stream', 'awtt_used')
  const clients = Array.from({ length: 3 }, () => connectStream(gateway.url, 'awtt_any'))
  for (const client of clients) await client.next('ready')
  const fourth = connectStream(gateway.url, 'awtt_any')
  const status = await new Promise((resolve) => {
    fourth.socket.once('unexpected-response', (_req, res) => resolve(res.statusCode))
  })
  expect(status).toBe(503)
  for (const client of clients) await client.close()
})

test('release their slot when they are closed', async () => {
  for (let n = 0; n < maxSocketsPerAddress; n++) await upgradeBadly('/v1/tts/stream', 'awtt_used')
  for (const socket of sockets.splice(0)) socket.destroy()
  for (;;) {
    if ((await upgradeBadly('/v1/tts/stream', 'awtt_used')) === 101) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
})
