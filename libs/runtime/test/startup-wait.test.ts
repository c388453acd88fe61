import { createLogger } from '@parlance/telemetry'
import { describeWithPrograms, startNatsServer, type TestServer } from '@parlance/testing'
import { type Running, StartupError, startServices } from '../src/index.js'
import { fakeService } from './fake-service.js'

describeWithPrograms(['nats'], 'a service that starts before its servers', () => {
  let nats: TestServer
  let attempts = 0
  let onAttempt = () => {}

  beforeAll(async () => {
    nats = await startNatsServer()
  })
  afterAll(() => nats.stop())
  beforeEach(() => nats.kill())

  const start = (waitMs: number, signal?: AbortSignal): Promise<Running> => {
    const write = (line: string) => {
      if (!line.includes('cannot be reached yet')) return
      attempts += 1
      onAttempt()
    }
    return startServices([fakeService('alone', [], { needs: ['bus'] })], {
      environment: { NATS_URL: nats.url, STARTUP_WAIT_MS: String(waitMs) },
      logger: createLogger({ level: 'warn', destination: { write } }),
      ...(signal && { signal }),
    })
  }
  const attempt = () =>
    new Promise<void>((resolve) => {
      onAttempt = resolve
    })

  test('waits for them, and starts once they can be reached', async () => {
    const waiting = attempt()
    const starting = start(60_000)
    await waiting
    await nats.restart()
    await (await starting).stop()
  })

  test('gives up at once when it may not wait', async () => {
    attempts = 0
    await expect(start(0)).rejects.toThrow(StartupError)
    expect(attempts).toBe(0)
  })

  test('stops waiting when it is stopped', async () => {
    const abort = new AbortController()
    const waiting = attempt()
    const starting = start(3_600_000, abort.signal)
    await waiting
    abort.abort()
    await expect(starting).rejects.toThrow()
  })
})
