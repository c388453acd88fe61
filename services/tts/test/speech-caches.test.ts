import { iterate } from '@parlance/async/push-stream'
import { createClient, createInProcessBus } from '@parlance/bus'
import { ServiceError, type SynthesisChunk, type SynthesisRequest, ttsContract } from '@parlance/contracts'
import { createMemoryTtlStore } from '@parlance/store'
import { createLogger, createMetrics, noTracing } from '@parlance/telemetry'
import type { CacheConfig, FallbackConfig } from '../src/engines-config.js'
import { speechKey } from '../src/handlers.js'
import { createVoiceFinder, requestedVoice } from '../src/requested-voice.js'
import { openSpeechCaches } from '../src/speech-caches.js'
import { startSpeechWorker } from '../src/speech-worker.js'
import { createToneEngine, type ToneEngine, voice } from './tone-engine.js'

const request = (fields: Partial<SynthesisRequest> = {}): SynthesisRequest => ({
  workspace_id: '5f0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d',
  text: 'Welcome! How can I help you?',
  cuts: [],
  voice: voice.id,
  variant: null,
  language: null,
  output: { format: 'pcm_s16le', sample_rate: 24000, bit_rate: null },
  speed: 1,
  volume: 1,
  alignment: ['word'],
  private: false,
  ...fields,
})

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

interface Options {
  readonly engine?: ToneEngine
  readonly others?: ToneEngine[]
  readonly fallbacks?: FallbackConfig[]
  readonly cache?: Partial<CacheConfig>
  /** The store that REDIS_URL would name. */
  readonly store?: ReturnType<typeof createMemoryTtlStore>
}

const place = 'TTS_ENGINES_FILE: /etc/engines.json'

/** A worker that keeps speeches, on a bus of its own. */
const openWorker = async ({ engine = createToneEngine(), others = [], fallbacks = [], cache, store }: Options = {}) => {
  const bus = createInProcessBus()
  const metrics = createMetrics()
  const kept = await openSpeechCaches(
    { cache: { megabytes: 1, private: false, ...cache }, place },
    { metrics, openSharedStore: async () => store },
  )
  const logger = createLogger({ name: 'test', level: 'silent' })
  const worker = await startSpeechWorker({
    platform: { bus, instanceId: 'worker', logger, metrics, tracing: noTracing },
    engines: [engine, ...others],
    fallbacks,
    place,
    queueLimit: 0,
    kept,
  })
  stops.push(() => worker.stop())
  const tts = createClient(bus, ttsContract)
  const begin = (asked = request()) => iterate(tts.synthesize(asked, { lane: engine.name, instance: 'worker' }))
  const speak = async (asked = request()) => {
    const chunks: SynthesisChunk[] = []
    for await (const chunk of begin(asked)) chunks.push(chunk)
    return chunks
  }
  const outcomes = async () =>
    Object.fromEntries(
      [...(await metrics.text()).matchAll(/^parlance_tts_cache_total{outcome="(\w+)"} (\d+)$/gm)].map(
        ([, outcome, count]) => [outcome, Number(count)],
      ),
    )
  return { bus, engine, begin, speak, outcomes, metrics }
}

const timeless = (chunks: readonly SynthesisChunk[]) =>
  chunks.map((chunk) => {
    if (chunk.event === 'started') return { ...chunk, queue_ms: 0, ttfa_ms: 0 }
    if (chunk.event === 'done') return { ...chunk, ttfa_ms: 0 }
    return chunk.event === 'audio' ? { ...chunk, data: Buffer.from(chunk.data).toString('base64') } : chunk
  })

test('the third request for a speech is served from the cache, with the same chunks and billing', async () => {
  const { engine, speak, outcomes, metrics } = await openWorker()
  const made = await speak()
  expect(await metrics.text()).toMatch(/^parlance_tts_cache_bytes 0$/m)
  await speak()
  expect(await metrics.text()).not.toMatch(/^parlance_tts_cache_bytes 0$/m)
  expect(engine.begun).toHaveLength(2)
  for (let turn = 0; turn < 3; turn++) expect(timeless(await speak())).toEqual(timeless(made))
  expect(engine.begun).toHaveLength(2)
  expect(await outcomes()).toEqual({ miss: 2, hit: 3 })
})

test('cached speech needs no engine: it is served while every engine is busy', async () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const engine = createToneEngine({ before: (text) => (text === 'Wait.' ? opened : undefined) })
  const { bus, begin, speak } = await openWorker({ engine })
  await speak()
  await speak()
  const waiting = begin(request({ text: 'Wait.' })).next()
  while (engine.begun.at(-1) !== 'Wait.') await bus.flush()
  await expect(speak(request({ text: 'New.' }))).rejects.toMatchObject({ code: 'capacity_exhausted' })
  expect((await speak()).at(-1)).toMatchObject({ event: 'done' })
  open()
  await waiting
})

test('speech for one person is not cached, unless the operator allows it', async () => {
  const asked = request({ private: true })
  const first = await openWorker()
  for (let turn = 0; turn < 4; turn++) await first.speak(asked)
  expect(first.engine.begun).toHaveLength(4)
  expect(await first.outcomes()).toEqual({})
  const second = await openWorker({ cache: { private: true } })
  for (let turn = 0; turn < 4; turn++) await second.speak(asked)
  expect(second.engine.begun).toHaveLength(2)
})

test('speech that failed or was aborted is not cached', async () => {
  const failing = createToneEngine({ failAt: () => new ServiceError('upstream_error', 'It stopped.') })
  const broken = await openWorker({ engine: failing })
  for (let turn = 0; turn < 3; turn++) await expect(broken.speak()).rejects.toMatchObject({ code: 'upstream_error' })
  expect(failing.begun).toHaveLength(3)
  const { bus, engine, begin, outcomes } = await openWorker()
  // More than may be on its way to a reader, so that it is never made whole.
  const long = request({ text: 'Welcome again, and again. '.repeat(200) })
  for (let turn = 0; turn < 3; turn++) {
    const before = engine.stopped()
    for await (const { event } of begin(long)) if (event === 'audio') break
    while (engine.stopped() === before) await bus.flush()
    await bus.flush()
  }
  expect(await outcomes()).toEqual({ miss: 3 })
  expect(engine.begun.length).toBeGreaterThanOrEqual(3)
})

test('speech of a fallback is not cached for the requested engine', async () => {
  const other = { ...voice, id: 'b'.repeat(32), display_name: 'Bo' }
  let fails = true
  const engine = createToneEngine({
    before: () => {
      if (fails) throw new ServiceError('upstream_error', 'It stopped.')
    },
  })
  const { speak } = await openWorker({
    engine,
    others: [createToneEngine({ name: 'other', voices: [other] })],
    fallbacks: [{ voice: 'Ada', variant: 'standard', instead: [{ voice: 'Bo', variant: 'standard' }] }],
  })
  for (let turn = 0; turn < 3; turn++) expect((await speak()).at(-1)).toMatchObject({ event: 'done' })
  fails = false
  const begun = engine.begun.length
  await speak()
  await speak()
  expect(engine.begun).toHaveLength(begun + 1)
})

describe('shared by workers', () => {
  const cache = { redis: { megabytes: 1, hours: 1 } }

  test('speech that one worker has made is not made again by another', async () => {
    const store = createMemoryTtlStore()
    stops.push(() => store.close())
    const [one, two] = [await openWorker({ cache, store }), await openWorker({ cache, store })]
    const made = await one.speak()
    await one.speak()
    await two.speak()
    expect(timeless(await two.speak())).toEqual(timeless(made))
    expect(timeless(await two.speak())).toEqual(timeless(made))
    expect(two.engine.begun).toHaveLength(1)
    expect(await two.outcomes()).toEqual({ miss: 1, shared: 1, hit: 1 })
  })

  test.each([
    ['fails', () => Promise.reject(new ServiceError('unavailable', 'It is away.'))],
    ['never answers', () => new Promise<never>(() => {})],
    ['answers nonsense', () => Promise.resolve('bm9uc2Vuc2U=')],
  ])('a store that %s counts as empty, and speech is cached by the worker', async (_, run) => {
    const store = { ...createMemoryTtlStore(), run: run as never }
    stops.push(() => store.close())
    const { engine, speak } = await openWorker({ cache, store })
    for (let turn = 0; turn < 4; turn++) expect((await speak()).at(-1)).toMatchObject({ event: 'done' })
    expect(engine.begun).toHaveLength(2)
  })

  test('without an address of Redis the start is refused', async () => {
    await expect(openWorker({ cache })).rejects.toThrow(
      'TTS_ENGINES_FILE: /etc/engines.json: cache.redis: REDIS_URL is not set.',
    )
  })
})

test('with a limit of 0 nothing is cached', async () => {
  const { engine, speak, outcomes } = await openWorker({ cache: { megabytes: 0 } })
  for (let turn = 0; turn < 3; turn++) await speak()
  expect(engine.begun).toHaveLength(3)
  expect(await outcomes()).toEqual({})
})

describe('the key of a speech', () => {
  const engine = createToneEngine()
  const find = createVoiceFinder(engine.voices)
  const keyOf = (asked: SynthesisRequest, by: Pick<ToneEngine, 'name' | 'info'> = engine) =>
    speechKey(by, asked, requestedVoice(find, asked))

  test('is different for every field that differs', () => {
    const variations: Partial<SynthesisRequest>[] = [
      { workspace_id: '6f0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d' },
      { text: 'Welcome! How can I help you' },
      { cuts: [8] },
      { language: 'en' },
      { output: { format: 'wav', sample_rate: 24000, bit_rate: null } },
      { output: { format: 'pcm_s16le', sample_rate: 8000, bit_rate: null } },
      { output: { format: 'pcm_s16le', sample_rate: 24000, bit_rate: 64000 } },
      { speed: 1.01 },
      { volume: 0.99 },
      { alignment: [] },
      { alignment: ['word', 'viseme'] },
    ]
    const keys = variations.map((fields) => keyOf(request(fields)))
    const others = [
      keyOf(request(), { name: 'other', info: {} }),
      keyOf(request(), { name: 'tone', info: { version: '2' } }),
    ]
    expect(new Set([keyOf(request()), ...keys, ...others]).size).toBe(1 + keys.length + others.length)
  })

  test('is the same for equivalent requests', () => {
    const key = keyOf(request({ alignment: ['word', 'phoneme'] }))
    expect(
      keyOf(request({ alignment: ['phoneme', 'word'], voice: 'ADA', variant: 'standard', language: 'en-us' })),
    ).toBe(key)
    expect(keyOf(request({ alignment: ['word', 'phoneme'], private: true }))).toBe(key)
  })

  test('contains nothing of the text', () => {
    expect(keyOf(request())).toMatch(/^[\w-]{43}$/)
  })
})
