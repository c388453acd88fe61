import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { chunksOf, keys, voiceId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

const keepIdleMs = 1_000
let gateway: OpenGateway
/** Lets responses of `/v1/tts` end. */
let resume: () => void
beforeEach(async () => {
  gateway = await openGateway({ keepIdleMs })
})

/** Makes `/v1/tts` send the given number of chunks, and the rest after `resume`. Resolves when a request has arrived. */
const holdAfter = (count: number) =>
  new Promise<void>((resolve) => {
    const resumed = new Promise<void>((go) => {
      resume = go
    })
    gateway.fakes.synthesize = async function* (request) {
      const chunks = chunksOf(request)
      yield* chunks.slice(0, count)
      resolve()
      await resumed
      yield* chunks.slice(count)
    }
  })

const body = JSON.stringify({ text: 'Hello', voice_id: voiceId })
const request = [
  'POST /v1/tts HTTP/1.1',
  'Host: gateway',
  `Authorization: Bearer ${keys.good}`,
  'Content-Type: application/json',
  `Content-Length: ${body.length}`,
  '',
  body,
].join('\r\n')
const endOfResponse = '\r\n0\r\n\r\n'
const lastResponse = /^HTTP\/1.1 200 .*\r\nConnection: close\r\n.*Hello.*\r\n0\r\n\r\n$/s

/** A connection, whose `received` grows. */
const openConnection = () => {
  const socket = connect(gateway.server.port, '127.0.0.1')
  const connection = { socket, received: '' }
  socket.on('data', (data) => {
    connection.received += data
  })
  // A test that waits for a response reports what was received instead.
  socket.on('error', () => {})
  return connection
}

/** Resolves when the connection has received a text. Rejects when it ends before. */
const receives = async (connection: { socket: Socket; received: string }, text: string) => {
  while (!connection.received.includes(text)) {
    if (connection.socket.closed) throw new Error(`closed after: ${connection.received}`)
    await Promise.race([once(connection.socket, 'data'), once(connection.socket, 'close')])
  }
}

/** Blocks the event loop, like work that does not yield or a busy machine. */
const block = (durationMs: number) => {
  const untilMs = performance.now() + durationMs
  while (performance.now() < untilMs);
}

test('a response that has not begun yet announces that its connection is closed with it', async () => {
  const asked = holdAfter(0)
  const connection = openConnection()
  connection.socket.write(request)
  await asked
  const stopped = gateway.close()
  resume()
  await once(connection.socket, 'close')
  expect(connection.received).toMatch(lastResponse)
  await stopped
})

test('a connection whose response ends late is kept for another request as long as an idle one', async () => {
  const asked = holdAfter(2)
  const connection = openConnection()
  connection.socket.write(request)
  await asked
  await receives(connection, 'Connection: keep-alive')
  const stopped = gateway.close()
  await delay(keepIdleMs + 100)
  resume()
  await receives(connection, endOfResponse)
  connection.received = ''
  connection.socket.write(request)
  await once(connection.socket, 'close')
  expect(connection.received).toMatch(lastResponse)
  await stopped
})

test('a request that arrives before its connection is closed is answered, also when the process reads it late', async () => {
  const connection = openConnection()
  connection.socket.write(request)
  await receives(connection, endOfResponse)
  connection.received = ''
  const stopped = gateway.close()
  // Timers run next, before the event loop reads sockets.
  await setImmediate()
  connection.socket.write(request)
  block(keepIdleMs + 200)
  await once(connection.socket, 'close')
  expect(connection.received).toMatch(lastResponse)
  await stopped
})

test('a connection that the kernel has accepted when the server stops is served', async () => {
  const connection = openConnection()
  connection.socket.write(request)
  // The client connects in the next tick. The process accepts the connection when the event loop reads the listening socket.
  await new Promise<void>((resolve) => process.nextTick(resolve))
  const stopped = gateway.close()
  await once(connection.socket, 'close')
  expect(connection.received).toMatch(lastResponse)
  await stopped
})
