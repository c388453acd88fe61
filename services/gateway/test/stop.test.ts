import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { openHttpServer } from '../src/http/server.js'
import { chunksOf, spoken, voiceId } from './fake-services.js'
import { openGateway } from './open-gateway.js'

const hello = { text: 'Hello', voice_id: voiceId }

test('requests in progress are finished, and then the port is closed', async () => {
  const gateway = await openGateway()
  let resume = () => {}
  const held = new Promise<void>((resolve) => {
    resume = resolve
  })
  gateway.fakes.synthesize = async function* (request) {
    const [started, audio, ...rest] = chunksOf(request)
    yield started!
    yield audio!
    await held
    yield* rest
  }
  const response = await gateway.post('/v1/tts', hello)
  const stopped = gateway.close()
  resume()
  expect(await response.text()).toBe('Hello')
  await stopped
  await expect(fetch(`${gateway.url}/v1/openapi.json`)).rejects.toThrow('fetch failed')
})

test('a response that is written but not yet read is not cut off', async () => {
  const gateway = await openGateway({ stopWithinMs: 60_000 })
  const audio = new Uint8Array(24 * 1024 * 1024)
  gateway.fakes.synthesize = (request) => spoken(request, audio)
  const response = await gateway.post('/v1/tts', { ...hello, response_mode: 'json' })
  const stopped = gateway.close()
  const { audio_base64 } = (await response.json()) as { audio_base64: string }
  expect(Buffer.from(audio_base64, 'base64')).toHaveLength(audio.length)
  await stopped
})

test('idle kept connections do not delay it', async () => {
  const gateway = await openGateway()
  const agent = new Agent({ keepAlive: true })
  const [response] = (await once(get(`${gateway.url}/v1/openapi.json`, { agent }), 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  const silent = connect(gateway.server.port, '127.0.0.1')
  await once(silent, 'connect')
  await Promise.all([gateway.close(), once(silent, 'close')])
  agent.destroy()
})

test('a client is asked to keep a connection for 10 s, so that its next request cannot collide with a close 15 s later', async () => {
  const gateway = await openGateway()
  const { headers } = await fetch(`${gateway.url}/v1/openapi.json`)
  expect(headers.get('keep-alive')).toBe('timeout=10')
  await gateway.close()
})

test('a request on a kept connection is answered while idle connections are kept, and the connection is closed with it', async () => {
  const gateway = await openGateway({ keepIdleMs: 60_000 })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const request = async () => {
    const [response] = (await once(get(`${gateway.url}/v1/openapi.json`, { agent }), 'response')) as [IncomingMessage]
    response.resume()
    await once(response, 'end')
    return response
  }
  const before = await request()
  const stopped = gateway.close()
  const during = await request()
  expect([before, during].map(({ headers }) => headers.connection)).toEqual(['keep-alive', 'close'])
  expect(during.headers['keep-alive']).toBeUndefined()
  expect(during.statusCode).toBe(200)
  await stopped
  agent.destroy()
})

test('requests that do not end are cut off at the deadline', async () => {
  const gateway = await openGateway()
  const ended = new Promise<void>((resolve) => {
    gateway.fakes.synthesize = async function* (request, { signal }) {
      yield* chunksOf(request).slice(0, 2)
      await once(signal, 'abort')
      resolve()
    }
  })
  const response = await gateway.post('/v1/tts', hello)
  const body = response.text()
  await Promise.all([gateway.close(), expect(body).rejects.toThrow(), ended])
})

test('the bill of a request that is cut off is closed', async () => {
  const gateway = await openGateway()
  let begun = 0
  gateway.fakes.synthesize = async function* (request, { signal }) {
    yield* chunksOf(request).slice(0, 2)
    begun += 1
    await once(signal, 'abort')
  }
  const bodies = ['audio', 'sse', 'json'].map(async (response_mode) =>
    (await gateway.post('/v1/tts', { ...hello, response_mode })).text(),
  )
  const cut = Promise.all(bodies.map((body) => expect(body).rejects.toThrow()))
  while (begun < bodies.length) await new Promise((resolve) => setImmediate(resolve))
  const closed = gateway.allBilled().then(() => gateway.reserver.holds.map(({ endings }) => [...endings]))
  await gateway.close()
  expect(await closed).toEqual([['released'], ['released'], ['released']])
  await cut
})

test('a port that is taken is the system’s own error', async () => {
  const gateway = await openGateway()
  const options = { logger: {} as never, metrics: gateway.metrics, stopWithinMs: 1 }
  const { port } = gateway.server
  await expect(openHttpServer(gateway.app, { host: '127.0.0.1', port }, options)).rejects.toMatchObject({
    code: 'EADDRINUSE',
    syscall: 'listen',
  })
  await gateway.close()
})
