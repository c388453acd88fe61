import type { PushStream } from '@parlance/async/push-stream'
import { type Client, createClient, createInProcessBus } from '@parlance/bus'
import {
  catalogContract,
  type OfferedVoice,
  queueLaneOf,
  ServiceError,
  type SpeechPurpose,
  type SynthesisChunk,
  type SynthesisRequest,
  ttsContract,
} from '@parlance/contracts'
import { createLogger, createMetrics, noTracing } from '@parlance/telemetry'
import type { FallbackConfig } from '../src/engines-config.js'
import type { KeptSpeech } from '../src/kept-speech.js'
import { startSpeechWorker } from '../src/speech-worker.js'
import { createToneEngine, msPerCharacter, type ToneEngine, voice } from './tone-engine.js'

const voiceOf = (display_name: string, variant: string): OfferedVoice => ({
  ...voice,
  id: Buffer.from(display_name.padEnd(16, '.')).toString('hex'),
  display_name,
  variants: [{ ...voice.variants[0]!, id: variant }],
})
const ada = voiceOf('Ada', 'local')
const nova = voiceOf('Nova', 'remote')

const request = (fields: Partial<SynthesisRequest> = {}): SynthesisRequest => ({
  workspace_id: '5f0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d',
  text: 'Hello there.',
  cuts: [],
  voice: nova.id,
  variant: 'remote',
  language: null,
  output: { format: 'pcm_s16le', sample_rate: 8000, bit_rate: null },
  speed: 1,
  volume: 1,
  alignment: [],
  private: false,
  ...fields,
})

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

interface WorkerOptions {
  readonly local?: ToneEngine
  readonly remote?: ToneEngine
  readonly fallbacks?: FallbackConfig[]
  readonly queueLimit?: number
  readonly kept?: KeptSpeech
}

const toAda = [{ voice: 'Nova', variant: 'remote', instead: [{ voice: 'Ada', variant: 'local' }] }]

/** A worker with two engines on a bus of its own, and what it said to the catalog. */
const openWorker = async ({
  local = createToneEngine({ name: 'local', voices: [ada] }),
  remote = createToneEngine({ name: 'remote', voices: [nova], sampleRateHz: 16_000 }),
  fallbacks = [],
  queueLimit = 0,
  kept,
}: WorkerOptions = {}) => {
  const bus = createInProcessBus()
  const metrics = createMetrics()
  const lines: { engine?: string; fallbackEngine?: string; msg: string }[] = []
  const logger = createLogger({ name: 'test', destination: { write: (line) => lines.push(JSON.parse(line)) } })
  const offered = new Map<string, string[]>()
  createClient(bus, catalogContract).voicesOffered.subscribe(({ engine, voices }) =>
    offered.set(
      engine,
      voices.map(({ display_name }) => display_name),
    ),
  )
  const worker = await startSpeechWorker({
    platform: { bus, instanceId: 'worker', logger, metrics, tracing: noTracing },
    engines: [local, remote],
    fallbacks,
    place: 'TTS_ENGINES_FILE: /etc/engines.json',
    queueLimit,
    kept,
  })
  stops.push(() => worker.stop())
  await bus.flush()
  const tts = createClient(bus, ttsContract)
  return { bus, tts, worker, local, remote, metrics, lines, offered }
}

const collect = async (speech: PushStream<SynthesisChunk>) => {
  const all: SynthesisChunk[] = []
  await speech((chunk) => void all.push(chunk), new AbortController().signal)
  return all
}
const speak = (tts: Pick<Client<typeof ttsContract>, 'synthesize'>, lane: string, fields?: Partial<SynthesisRequest>) =>
  collect(tts.synthesize(request(fields), { lane }))
const samplesOf = (chunks: SynthesisChunk[]) =>
  chunks.reduce((sum, chunk) => sum + (chunk.event === 'audio' ? chunk.data.length / 2 : 0), 0)

/** A promise, and what fulfils it. */
const gate = () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

describe('lanes', () => {
  test('each engine answers in its own, and what it knows is shown to the NATS tools', async () => {
    const { bus, tts, local, remote } = await openWorker()
    await speak(tts, 'remote')
    await speak(tts, 'local', { voice: 'Ada', variant: null })
    expect([local.begun.length, remote.begun.length]).toEqual([1, 1])
    await expect(speak(tts, 'local')).rejects.toMatchObject({ code: 'voice_not_found' })
    await expect(speak(tts, 'neither')).rejects.toMatchObject({ code: 'unavailable' })
    const info = await new Promise((resolve) => {
      bus.subscribe('answer', ({ data }) => resolve(JSON.parse(Buffer.from(data).toString())))
      bus.publish('$SRV.INFO.tts.worker-remote', new Uint8Array(0), { reply: 'answer' })
    })
    expect(info).toMatchObject({ metadata: { engine: 'remote', capacity: '1', voices: '1' } })
  })

  test('an engine that is full closes its lane, and the other’s stays open', async () => {
    const { open, opened } = gate()
    const remote = createToneEngine({ name: 'remote', voices: [nova], before: () => opened })
    const { bus, tts, metrics } = await openWorker({ remote })
    const first = speak(tts, 'remote')
    while (remote.begun.length === 0) await bus.flush()
    await bus.flush()
    await expect(speak(tts, 'remote')).rejects.toMatchObject({ code: 'unavailable' })
    expect((await speak(tts, 'local', { voice: 'Ada', variant: null })).at(-1)).toMatchObject({ event: 'done' })
    expect(await metrics.text()).toMatch(/^parlance_tts_active{engine="remote"} 1$/m)
    expect(await metrics.text()).toMatch(/^parlance_tts_active{engine="local"} 0$/m)
    open()
    expect((await first).at(-1)).toMatchObject({ event: 'done' })
    expect((await speak(tts, 'remote')).at(-1)).toMatchObject({ event: 'done' })
  })
})

describe('the queue of an engine', () => {
  /** A worker whose remote engine speaks one text at a time, when it is let go. */
  const openQueue = async (options: WorkerOptions = {}) => {
    const gates: (() => void)[] = []
    const remote = createToneEngine({
      name: 'remote',
      voices: [nova],
      before: () => new Promise<void>((resolve) => void gates.push(resolve)),
    })
    const worker = await openWorker({ remote, queueLimit: 100, ...options })
    const at = { lane: queueLaneOf('remote'), deadlineMs: 10_000 }
    const say = (text: string, purpose: SpeechPurpose, workspace_id = request().workspace_id) =>
      collect(worker.tts.synthesize(request({ text, workspace_id, purpose }), at))
    /** Resolves when so many wait. */
    const waiting = async (count: number) => {
      while (!(await worker.metrics.text()).includes(`parlance_tts_waiting{engine="remote"} ${count}\n`)) {
        await worker.bus.flush()
      }
    }
    const letAllGo = async () => {
      for (let done = 0; done < remote.begun.length; done++) {
        gates[done]!()
        for (let turn = 0; turn < 50; turn++) await worker.bus.flush()
      }
    }
    return { ...worker, remote, gates, say, waiting, letAllGo }
  }

  test('lets requests wait that a full worker would have refused; replies of conversations go first', async () => {
    const { remote, say, waiting, letAllGo } = await openQueue()
    const texts = ['first', 'second', 'third'].map((text) => say(text, 'one_shot'))
    await waiting(2)
    texts.push(say('stream', 'stream'))
    await waiting(3)
    texts.push(say('reply', 'reply'))
    await waiting(4)
    await letAllGo()
    for (const chunks of await Promise.all(texts)) expect(chunks.at(-1)).toMatchObject({ event: 'done' })
    expect(remote.begun).toEqual(['first', 'reply', 'second', 'third', 'stream'])
  })

  test('is shared fairly: a workspace with one text does not wait for all those of another', async () => {
    const { remote, say, waiting, letAllGo } = await openQueue()
    const texts = Array.from({ length: 10 }, (_, n) => say(`${n}`, 'one_shot'))
    await waiting(9)
    texts.push(say('other', 'one_shot', '0b1c7c50-9a54-4b66-8a35-1d0f6f3c9e11'))
    await waiting(10)
    await letAllGo()
    await Promise.all(texts)
    expect(remote.begun.indexOf('other')).toBe(1)
  })

  test('gives the time that a request waited in it', async () => {
    const { say, waiting, letAllGo } = await openQueue()
    const texts = ['first', 'second'].map((text) => say(text, 'one_shot'))
    await waiting(1)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await letAllGo()
    const [first, second] = (await Promise.all(texts)).map(([started]) => started)
    expect(first).toMatchObject({ event: 'started' })
    expect((second as { queue_ms: number }).queue_ms).toBeGreaterThan((first as { queue_ms: number }).queue_ms + 50)
  })

  test('refuses a stream after two seconds, and says when to try again', async () => {
    const { say, gates, waiting, letAllGo } = await openQueue()
    const first = say('first', 'one_shot')
    while (gates.length === 0) await new Promise(setImmediate)
    const second = say('second', 'one_shot')
    await waiting(1)
    const askedAtMs = performance.now()
    await expect(say('stream', 'stream')).rejects.toMatchObject({
      code: 'capacity_exhausted',
      retryAfterSeconds: expect.any(Number),
    })
    expect(performance.now() - askedAtMs).toBeGreaterThan(1_900)
    await letAllGo()
    await Promise.all([first, second])
  })
})

describe('health', () => {
  test('what an engine cannot speak is not offered, from when it cannot until it can', async () => {
    const { bus, tts, remote, offered } = await openWorker()
    expect(offered).toEqual(
      new Map([
        ['local', ['Ada']],
        ['remote', ['Nova']],
      ]),
    )
    remote.setHealthy(false)
    await bus.flush()
    expect(offered.get('remote')).toEqual([])
    expect(offered.get('local')).toEqual(['Ada'])
    await expect(speak(tts, 'remote')).rejects.toMatchObject({ code: 'unavailable' })
    remote.setHealthy(true)
    await bus.flush()
    expect(offered.get('remote')).toEqual(['Nova'])
    expect((await speak(tts, 'remote')).at(-1)).toMatchObject({ event: 'done' })
  })

  test('a variant for which a healthy engine stands in is offered all the same, and spoken by that', async () => {
    const { bus, tts, local, remote, offered } = await openWorker({ fallbacks: toAda })
    remote.setHealthy(false)
    await bus.flush()
    expect(offered.get('remote')).toEqual(['Nova'])
    expect((await speak(tts, 'remote')).at(-1)).toMatchObject({ event: 'done' })
    expect([local.begun.length, remote.begun.length]).toEqual([1, 0])
    local.setHealthy(false)
    await bus.flush()
    expect(offered.get('remote')).toEqual([])
  })

  test('a worker with an engine that is not ready serves the others, and is ready itself', async () => {
    const remote = createToneEngine({ name: 'remote', voices: [nova] })
    remote.setHealthy(false)
    const { tts, worker, offered } = await openWorker({ remote })
    expect(worker.hasBeenHealthy()).toBe(true)
    expect(offered.get('remote')).toEqual([])
    expect((await speak(tts, 'local', { voice: 'Ada', variant: null })).at(-1)).toMatchObject({ event: 'done' })
  })

  test('a worker none of whose engines was ever ready is not ready, until one is', async () => {
    const engines = ['local', 'remote'].map((name) => createToneEngine({ name, voices: [voiceOf(name, name)] }))
    for (const engine of engines) engine.setHealthy(false)
    const { worker } = await openWorker({ local: engines[0]!, remote: engines[1]! })
    expect(worker.hasBeenHealthy()).toBe(false)
    engines[1]!.setHealthy(true)
    engines[1]!.setHealthy(false)
    expect(worker.hasBeenHealthy()).toBe(true)
  })
})

describe('fallbacks', () => {
  const failure = new ServiceError('upstream_timeout', 'It did not answer.')

  test('an engine that fails before its first audio is replaced, whatever the rates of the two are', async () => {
    const failing = () => {
      throw failure
    }
    const remote = createToneEngine({ name: 'remote', voices: [nova], sampleRateHz: 16_000, before: failing })
    const { tts, local, metrics, lines } = await openWorker({ remote, fallbacks: toAda })
    const chunks = await speak(tts, 'remote', { text: 'Hello there.', alignment: ['word'] })
    expect(chunks.at(0)).toMatchObject({ event: 'started' })
    expect(chunks.at(-1)).toMatchObject({ event: 'done', characters_billed: 12 })
    expect(samplesOf(chunks)).toBeCloseTo((12 * msPerCharacter * 8000) / 1000, -1)
    expect(local.begun).toEqual(['Hello there.'])
    expect(await metrics.text()).toMatch(/^parlance_tts_fallback_total{from="remote",to="local"} 1$/m)
    expect(lines.filter(({ fallbackEngine }) => fallbackEngine === 'local')).toMatchObject([{ engine: 'remote' }])
    // The seat of who failed is free again, and so is that of who spoke.
    expect((await speak(tts, 'remote')).at(-1)).toMatchObject({ event: 'done' })
  })

  test('an engine that fails after its first audio is not replaced', async () => {
    const remote = createToneEngine({ name: 'remote', voices: [nova], failAt: () => failure })
    const { tts, local, metrics } = await openWorker({ remote, fallbacks: toAda })
    await expect(speak(tts, 'remote')).rejects.toMatchObject({ code: 'upstream_timeout' })
    expect(local.begun).toEqual([])
    expect(await metrics.text()).not.toContain('parlance_tts_fallback_total{')
  })

  test('a fallback that is full is passed over, and the first failure told', async () => {
    const { open, opened } = gate()
    const local = createToneEngine({ name: 'local', voices: [ada], before: () => opened })
    const remote = createToneEngine({ name: 'remote', voices: [nova], before: () => Promise.reject(failure) })
    const { bus, tts } = await openWorker({ local, remote, fallbacks: toAda })
    const busy = speak(tts, 'local', { voice: 'Ada', variant: null })
    while (local.begun.length === 0) await bus.flush()
    await expect(speak(tts, 'remote')).rejects.toMatchObject({ code: 'upstream_timeout' })
    open()
    await busy
  })

  test('a fallback that does not speak the language asked for is no help', async () => {
    const german = { ...ada, languages: ['de'] }
    const local = createToneEngine({ name: 'local', voices: [german] })
    const remote = createToneEngine({ name: 'remote', voices: [nova], before: () => Promise.reject(failure) })
    const { tts } = await openWorker({ local, remote, fallbacks: toAda })
    await expect(speak(tts, 'remote', { language: 'en' })).rejects.toMatchObject({ code: 'upstream_timeout' })
    expect((await speak(tts, 'remote', { language: null })).at(-1)).toMatchObject({ event: 'done' })
  })

  test('a chain that names what no engine has refuses the start', async () => {
    const fallbacks = [{ ...toAda[0]!, instead: [{ voice: 'Bo', variant: 'local' }] }]
    await expect(openWorker({ fallbacks })).rejects.toMatchObject({
      name: 'StartupError',
      lines: ['TTS_ENGINES_FILE: /etc/engines.json: fallbacks.0.instead.0.voice: no engine has a voice Bo'],
    })
  })

  test('a chain that names what an engine will have that is not there yet holds when it comes', async () => {
    let voices: OfferedVoice[] = []
    const late = createToneEngine({ name: 'local' })
    const local = Object.defineProperty({ ...late }, 'voices', { get: () => voices })
    local.setHealthy(false)
    const remote = createToneEngine({ name: 'remote', voices: [nova], before: () => Promise.reject(failure) })
    const { tts } = await openWorker({ local, remote, fallbacks: toAda })
    await expect(speak(tts, 'remote')).rejects.toMatchObject({ code: 'upstream_timeout' })
    voices = [ada]
    local.setHealthy(true)
    expect((await speak(tts, 'remote')).at(-1)).toMatchObject({ event: 'done' })
    expect((await speak(tts, 'local', { voice: 'Ada', variant: null })).at(-1)).toMatchObject({ event: 'done' })
  })
})

test('a catalog that starts later is told what each engine offers, many voices in parts that a message holds', async () => {
  const voices = Array.from({ length: 900 }, (_, n) => voiceOf(`Voice ${n}`, 'remote'))
  const { bus } = await openWorker({ remote: createToneEngine({ name: 'remote', voices }) })
  const heard = new Map<string, number>()
  const catalog = createClient(bus, catalogContract)
  catalog.voicesOffered.subscribe(({ engine, part, voices: part_ }) => heard.set(`${engine} ${part}`, part_.length))
  catalog.voicesWanted.publish({})
  await bus.flush()
  await bus.flush()
  expect([...heard.values()].reduce((sum, count) => sum + count)).toBe(901)
  expect(heard.size).toBeGreaterThan(2)
})

test('the catalog is sent how each engine makes its speech', async () => {
  const { bus } = await openWorker({
    remote: createToneEngine({ name: 'remote', voices: [nova], synthesis: 'neural' }),
  })
  const methods = new Map<string, string>()
  const catalog = createClient(bus, catalogContract)
  catalog.voicesOffered.subscribe(({ engine, synthesis }) => methods.set(engine, synthesis))
  catalog.voicesWanted.publish({})
  await bus.flush()
  await bus.flush()
  expect(Object.fromEntries(methods)).toEqual({ local: 'formant', remote: 'neural' })
})
