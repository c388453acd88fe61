import { setTimeout as delay } from 'node:timers/promises'
import { type Bus, connectNatsBus, createClient } from '@parlance/bus'
import { catalogContract, type ServiceError } from '@parlance/contracts'
import { createLogger, createMetrics, noTracing } from '@parlance/telemetry'
import { describeWithPrograms, startNatsServer, type TestServer } from '@parlance/testing'
import { catalog } from '../src/index.js'
import { offeredVoice } from './offered-voice.js'

const ada = offeredVoice({ display_name: 'Ada' })

/** The reply of the catalog to a request for a voice. */
const createAsker = (bus: Bus) => {
  const client = createClient(bus, catalogContract)
  const find = (voice: string): Promise<string> =>
    client.findVoice({ voice }).then(
      ({ display_name }) => display_name,
      ({ code }: ServiceError) => code,
    )
  const list = (): Promise<string[] | string> =>
    client.listVoices({}).then(
      ({ voices }) => voices.map(({ display_name }) => display_name),
      ({ code }: ServiceError) => code,
    )
  return { client, find, list }
}

/** Repeats the request until it has this reply. Returns the earlier replies. */
const until = async <Answer>(ask: () => Promise<Answer>, wanted: Answer): Promise<Answer[]> => {
  const others: Answer[] = []
  for (;;) {
    const answer = await ask()
    if (JSON.stringify(answer) === JSON.stringify(wanted)) return others
    others.push(answer)
    await delay(20)
  }
}

describeWithPrograms(['nats'], 'a catalog on NATS', () => {
  let server: TestServer
  const buses: Bus[] = []

  const connect = async () => {
    const bus = await connectNatsBus({ url: server.url, name: 'test' })
    buses.push(bus)
    return bus
  }
  const startCatalog = async () => {
    const bus = await connect()
    const platform = { bus, instanceId: 'catalog', logger: createLogger({ level: 'silent' }), metrics: createMetrics() }
    return catalog.start({ ...platform, tracing: noTracing } as Parameters<typeof catalog.start>[0], {})
  }
  /** A worker that offers its voices on request and after a reconnection. */
  const startWorker = async () => {
    const bus = await connect()
    const client = createClient(bus, catalogContract)
    const offer = () => {
      client.voicesOffered.publish({
        instance_id: 'worker',
        engine: 'espeak-ng',
        part: 0,
        synthesis: 'formant',
        voices: [ada],
      })
    }
    client.voicesWanted.subscribe(offer)
    bus.onReconnect(offer)
    offer()
    await bus.flush()
  }

  afterEach(async () => {
    for (const bus of buses.splice(0)) await bus.close()
    await server.stop()
  })

  test('that has just started rejects an unknown voice with "unavailable" until the engines have announced theirs', async () => {
    server = await startNatsServer()
    await startCatalog()
    const asker = createAsker(await connect())
    expect(await asker.find('Ada')).toBe('unavailable')
    expect(await asker.list()).toBe('unavailable')
    await startWorker()
    await until(() => asker.find('Ada'), 'Ada')
    expect(await asker.list()).toEqual(['Ada'])
    const before = await until(() => asker.find('Unknown'), 'voice_not_found')
    expect(new Set(before)).toEqual(new Set(['unavailable']))
  })

  test('whose server was stopped for longer than the lifetime of an offer never reports an existing voice as missing', async () => {
    server = await startNatsServer()
    await startCatalog()
    await startWorker()
    const asker = createAsker(await connect())
    await until(() => asker.find('Ada'), 'Ada')
    await until(() => asker.find('Unknown'), 'voice_not_found')
    await server.kill()
    await delay(16_000)
    await server.restart()
    const [found, listed, unknown] = await Promise.all([
      until(() => asker.find('Ada'), 'Ada'),
      until(() => asker.list(), ['Ada']),
      until(() => asker.find('Unknown'), 'voice_not_found'),
    ])
    for (const others of [found, listed, unknown])
      expect([...new Set(others)]).toEqual(others.length > 0 ? ['unavailable'] : [])
  })
})
