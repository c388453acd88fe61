import { setTimeout as delay } from 'node:timers/promises'
import { type Bus, connectNatsBus, createClient } from '@parlance/bus'
import { catalogContract, type ServiceError } from '@parlance/contracts'
import { createLogger, createMetrics, noTracing } from '@parlance/telemetry'
import { describeWithPrograms, startNatsServer, type TestServer } from '@parlance/testing'
import { catalog } from '../src/index.js'
import { offeredVoice } from './offered-voice.js'

const ada = offeredVoice({ display_name: 'Ada' })

/** What the catalog answers when it is asked for a voice. */
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

/** Asks until the answer is this. Returns the other answers that came before. */
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
  /** What a worker does: it offers its voices when it is asked, and when its connection is there again. */
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

  test('that has just started answers "unavailable" to an unknown voice until the engines have announced theirs', async () => {
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
  }, 30_000)

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
  }, 60_000)
})
