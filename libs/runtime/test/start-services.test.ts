import { createServer } from 'node:net'
import { createLogger } from '@parlance/telemetry'
import { describeWithPrograms, freePort, startRedisServer, type TestServer } from '@parlance/testing'
import { type Service, StartupError, startServices } from '../src/index.js'
import { fakeService } from './fake-service.js'

/** A promise that the test resolves. */
const signal = () => {
  let give = () => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { give, given }
}

const start = (services: readonly Service[], environment = {}, abort?: AbortSignal) =>
  startServices(services, {
    environment,
    logger: createLogger({ level: 'silent' }),
    command: 'npm start',
    ...(abort && { signal: abort }),
  })

test('services start in the given order and stop in the opposite one, once', async () => {
  const events: string[] = []
  const running = await start(['a', 'b', 'c'].map((name) => fakeService(name, events)))
  await Promise.all([running.stop(), running.stop()])
  expect(events).toEqual(['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a'])
})

test('all services begin to drain before the first one stops, and none stops before it has drained', async () => {
  const events: string[] = []
  const drained = signal()
  const a = fakeService('a', events, { onDrain: () => {} })
  const b = fakeService('b', events, { onDrain: () => drained.given })
  // The gateway is such a service: it waits for work that the draining service completes.
  const c = fakeService('c', events, { onStop: drained.give })
  const running = await start([a, b, c])
  await running.stop()
  expect(events.slice(3, 6)).toEqual(['drain a', 'drain b', 'drained a'])
  expect(events.slice(6)).toEqual(['stop c', 'drained b', 'stop b', 'stop a'])
})

test('a process prints the metrics of its services, zeros before their first use among them, and no others', async () => {
  const running = await start([{ ...fakeService('a', []), metrics: ['streams'] }, fakeService('b', [])])
  const text = await running.platform.metrics.text()
  expect(text).toContain('\nparlance_streams_active 0\n')
  expect(text).not.toContain('parlance_sessions')
  expect(text).not.toContain('http_server')
  await running.stop()
})

test('a service that fails to drain is still stopped', async () => {
  const events: string[] = []
  const running = await start([fakeService('a', events, { onDrain: () => Promise.reject(new Error('stuck')) })])
  await running.stop()
  expect(events).toEqual(['start a', 'drain a', 'stop a'])
})

test('when a service fails to start, earlier ones are stopped and later ones never start', async () => {
  const events: string[] = []
  const broken = fakeService('b', events, { onStart: () => Promise.reject(new Error('broken')) })
  await expect(start([fakeService('a', events), broken, fakeService('c', events)])).rejects.toThrow('broken')
  expect(events).toEqual(['start a', 'start b', 'stop a'])
})

test('an aborted start stops the services that had started', async () => {
  const events: string[] = []
  const abort = new AbortController()
  const a = fakeService('a', events, { onStart: () => abort.abort() })
  await expect(start([a, fakeService('b', events)], {}, abort.signal)).rejects.toThrow()
  expect(events).toEqual(['start a', 'stop a'])
})

test('a service that does not stop cleanly does not prevent the others from stopping', async () => {
  const events: string[] = []
  const b = fakeService('b', events, { onStop: () => Promise.reject(new Error('stuck')) })
  const running = await start([fakeService('a', events), b])
  await running.stop()
  expect(events.slice(2)).toEqual(['stop b', 'stop a'])
})

test('the process is ready when all services and stores are, and not while it stops', async () => {
  let bIsReady = false
  const stopping = signal()
  const a = fakeService('a', [], { onStop: () => stopping.given })
  const running = await start([a, fakeService('b', [], { ready: async () => bIsReady })])
  const { readiness } = running.platform
  expect(await readiness?.()).toEqual({ ready: false, checks: { bus: true, ttl: true, a: true, b: false } })
  bIsReady = true
  expect(await readiness?.()).toMatchObject({ ready: true })
  const stopped = running.stop()
  expect(await readiness?.()).toMatchObject({ ready: false })
  stopping.give()
  await stopped
})

test('a readiness check that fails or never answers counts as not ready', async () => {
  const never = fakeService('never', [], { ready: () => new Promise(() => {}) })
  const fails = fakeService('fails', [], { ready: () => Promise.reject(new Error('no')) })
  const running = await start([never, fails])
  expect(await running.platform.readiness?.()).toMatchObject({ checks: { never: false, fails: false } })
  await running.stop()
})

test('a service that is still starting is not ready', async () => {
  const starting = signal()
  const port = await freePort()
  const begun = signal()
  const onStart = () => {
    begun.give()
    return starting.given
  }
  const started = start([fakeService('slow', [], { onStart }), fakeService('other', [])], { HEALTH_PORT: String(port) })
  await begun.given
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`)
  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({ checks: { slow: false } })
  starting.give()
  await (await started).stop()
})

test('health, readiness and metrics are served on HEALTH_PORT', async () => {
  const port = await freePort()
  const running = await start([fakeService('a', []), fakeService('b', [])], { HEALTH_PORT: String(port) })
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    return { status: response.status, body: await response.text() }
  }
  expect(await get('/healthz')).toEqual({ status: 200, body: '{"status":"ok"}' })
  expect(await get('/readyz')).toMatchObject({ status: 200, body: expect.stringContaining('"ready":true') })
  expect(await get('/metrics')).toMatchObject({
    status: 200,
    body: expect.stringContaining('process_cpu_seconds_total'),
  })
  expect(await get('/other')).toMatchObject({ status: 404 })
  await running.stop()
  await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow()
})

test('HEALTH_PORT listens only on the address in HOST', async () => {
  const services = [fakeService('a', []), fakeService('b', [])]
  const listenAt = async (HOST: string) => start(services, { HEALTH_PORT: String(await freePort()), HOST })
  // An address reserved for documentation, which no machine has.
  await expect(listenAt('192.0.2.1')).rejects.toMatchObject({
    lines: ['192.0.2.1 is not an address of this machine. Choose another with HOST, e.g. HOST=127.0.0.1.'],
  })
  await (await listenAt('127.0.0.1')).stop()
})

test('a port in use is reported with one line that names another port', async () => {
  const holder = createServer()
  const port = await freePort()
  const listen = (server: ReturnType<typeof createServer>) =>
    new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, resolve))
  await listen(holder)
  const refused = async (services: readonly Service[], environment: object) => {
    const error = await start(services, environment).catch((error: unknown) => error)
    return error instanceof StartupError ? error.lines : []
  }
  const gateway = fakeService('gateway', [], { onStart: () => listen(createServer()) })
  const line = (variable: string) => [`Port ${port} is in use. Choose another: ${variable}=${port + 1} npm start`]
  expect(await refused([gateway, fakeService('b', [])], {})).toEqual(line('PORT'))
  expect(await refused([fakeService('a', []), fakeService('b', [])], { HEALTH_PORT: `${port}` })).toEqual(
    line('HEALTH_PORT'),
  )
  await new Promise((resolve) => holder.close(resolve))
})

test.each([[['a']], [['a', 'b']]])('a log line on one of the services %j names it once', async (names) => {
  const lines: string[] = []
  const running = await startServices(
    names.map((name) => fakeService(name, [])),
    {
      environment: {},
      logger: createLogger({
        level: 'info',
        destination: { write: (line) => void lines.push(line) },
        ...(names.length === 1 && { name: names[0]! }),
      }),
    },
  )
  await running.stop()
  const ofServices = lines.filter((line) => /service (started|stopped)/.test(line))
  expect(ofServices).toHaveLength(2 * names.length)
  for (const line of ofServices) expect(line.match(/"service":/g)).toHaveLength(1)
})

test('without an address of Redis there is no shared store, and each process has its own required stores', async () => {
  const { platform, stop } = await start([fakeService('a', [])])
  expect(await platform.openSharedStore()).toBeUndefined()
  await stop()
})

describeWithPrograms(['redis'], 'with an address of Redis', () => {
  let redis: TestServer
  beforeAll(async () => {
    redis = await startRedisServer()
  })
  afterAll(() => redis.stop())

  test('a store is shared by all services that need one, and closed at the end; its loss leaves them ready', async () => {
    const running = await Promise.all(
      ['a', 'b'].map((name) => start([fakeService(name, [])], { REDIS_URL: redis.url })),
    )
    const [one, other] = await Promise.all(running.map(({ platform }) => platform.openSharedStore()))
    await one!.set('key', 'value', 60_000)
    expect(await other!.get('key')).toBe('value')
    await running[1]!.stop()
    await expect(other!.get('key')).rejects.toThrow('unavailable')
    await redis.stop()
    await expect(one!.get('key')).rejects.toThrow('unavailable')
    expect((await running[0]!.platform.readiness?.())?.ready).toBe(true)
    await running[0]!.stop()
  })
})
