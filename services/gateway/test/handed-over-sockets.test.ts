/** Sockets that Node's HTTP server hands over: those of CONNECT and of upgrades. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
const sockets: Socket[] = []
beforeEach(async () => {
  gateway = await openGateway()
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await gateway.close()
})

/** A client that keeps its side of the connection open when the server has closed its own. */
const openClient = (request: string, { server } = gateway): Socket => {
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {})
  socket.write(request)
  sockets.push(socket)
  return socket
}

const head = (...lines: string[]) => `${[...lines, 'host: x'].join('\r\n')}\r\n\r\n`
const upgradeOf = (path: string, key: string) =>
  head(
    `GET ${path} HTTP/1.1`,
    ...['connection: upgrade', 'upgrade: websocket', 'sec-websocket-version: 13', `sec-websocket-key: ${key}`],
  )
const key = Buffer.alloc(16).toString('base64')
const refused = [
  ['a tunnel', head('CONNECT x:443 HTTP/1.1')],
  ['a stream', upgradeOf('/v1/tts/stream', 'no key')],
  ['the socket of an unknown session', upgradeOf('/v1/agents/x/sessions/y/stream', key)],
] as const

test('a client that requests a tunnel and resets its connection affects only that connection', async () => {
  const socket = openClient(head('CONNECT x:443 HTTP/1.1')).resume()
  await once(socket, 'data')
  socket.resetAndDestroy()
  await once(socket, 'close')
  expect((await gateway.get('/v1/openapi.json')).status).toBe(200)
})

test.each(refused)(
  'the server closes the connection of a client that was refused %s and keeps it open',
  async (_what, request) => {
    const socket = openClient(request).resume()
    await once(socket, 'end')
    // A write to a connection that the server has closed causes a reset, after which the next write fails.
    while (!socket.destroyed) {
      socket.write('x')
      await setImmediate()
    }
  },
)

test('the server stops while clients that were refused an upgrade keep their connections open', async () => {
  const other = await openGateway()
  for (const [, request] of refused) await once(openClient(request, other).resume(), 'end')
  await other.close()
})
