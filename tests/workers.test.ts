import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { iterate } from '@parlance/async/push-stream'
import { type Bus, type Client, connectNatsBus, createClient, missingReplyOf } from '@parlance/bus'
import { createSynthesize, isLostAnswer } from '@parlance/clients/speech'
import { type SynthesisChunk, type SynthesisRequest, ttsContract } from '@parlance/contracts'
import { cutsBetween, segmentText } from '@parlance/speech'
import {
  describeWithPrograms,
  endProcess,
  freePort,
  startNatsServer,
  startRedisServer,
  startServiceProcess,
  type TestServer,
} from '@parlance/testing'
import { voices } from '../engines/espeak-ng/src/voices.js'
import { outcomesOf } from './bursts.js'
import { eventually } from './eventually.js'
import { readMetric } from './metrics.js'
import type { SpeechWorkerProcess } from './platforms.js'

/** The engine that every worker has. */
const lane = 'espeak-ng'
const onlyItsOwn = { TTS_INSTALLED_ENGINES: 'false' }

const request = (fields: Partial<SynthesisRequest> = {}): SynthesisRequest => ({
  workspace_id: randomUUID(),
  text: 'Good morning, how can I help you today?',
  cuts: fields.text === undefined ? [] : cutsBetween(segmentText(fields.text, 'en')),
  voice: voices[0]!.id,
  variant: null,
  language: null,
  output: { format: 'pcm_s16le', sample_rate: 24_000, bit_rate: null },
  speed: 1,
  volume: 1,
  alignment: [],
  private: false,
  ...fields,
})

/** Some minutes of audio in one segment, which keeps an engine busy for a while. */
const long = (fields: Partial<SynthesisRequest> = {}) =>
  request({ text: 'a text that keeps its engine at work, '.repeat(250), cuts: [], speed: 0.5, ...fields })

describeWithPrograms(['nats', 'redis'], 'speech workers', () => {
  let nats: TestServer
  let bus: Bus
  let tts: Client<typeof ttsContract>
  const workers: SpeechWorkerProcess[] = []

  beforeAll(async () => {
    nats = await startNatsServer()
    bus = await connectNatsBus({ url: nats.url, name: 'test' })
    tts = createClient(bus, ttsContract)
  })
  afterEach(() => Promise.all(workers.splice(0).map(({ child }) => endProcess(child, 'SIGKILL'))))
  afterAll(async () => {
    await bus.close()
    await nats.stop()
  })

  const start = async (environment: Record<string, string> = {}) => {
    const healthPort = String(await freePort())
    const child = await startServiceProcess('tts', {
      NATS_URL: nats.url,
      HEALTH_PORT: healthPort,
      ...onlyItsOwn,
      ...environment,
    })
    const worker = { child, metricsUrl: `http://127.0.0.1:${healthPort}/metrics` }
    workers.push(worker)
    return worker
  }
  const startTwo = (environment?: Record<string, string>) => Promise.all([start(environment), start(environment)])

  const metric = ({ metricsUrl }: SpeechWorkerProcess, name: string) => readMetric(metricsUrl, name)

  const begin = (asked: SynthesisRequest, signal = new AbortController().signal, engine = lane, deadlineMs = 120_000) =>
    iterate(createSynthesize(tts)(asked, { lane: engine, deadlineMs }), signal)
  const collect = async (chunks: AsyncIterable<SynthesisChunk>) => {
    const events: string[] = []
    for await (const { event } of chunks) events.push(event)
    return events
  }
  const speak = async (asked = request()) => (await collect(begin(asked))).at(-1)
  const outcome = (asked: SynthesisRequest) => speak(asked).catch((error: { code: string }) => error.code)

  /**
   * Resolves when this number of the workers has no speech of the engine. A worker sends the end of a speech a moment before it
   * takes the next one, and a cancel takes a moment to reach it.
   */
  const freeWorkers = (expected: number, engine = lane) =>
    eventually(async () => {
      const active = workers.map((worker) => metric(worker, `parlance_tts_active{engine="${engine}"}`))
      return (await Promise.all(active)).filter((count) => count === 0).length === expected || undefined
    })

  /**
   * Speaks when this number of the workers has no speech of the engine. A refusal is not repeated: the bus routes calls only to
   * workers with capacity. An answer that is lost is, since a busy machine may keep a worker from answering in time.
   */
  const speakOnce = async (free: number, engine = lane): Promise<string | undefined> => {
    await freeWorkers(free, engine)
    try {
      return (await collect(iterate(tts.synthesize(request(), { lane: engine })))).at(-1)
    } catch (error) {
      if (missingReplyOf(error) === 'no-responders' || !isLostAnswer(error)) throw error
      return speakOnce(free, engine)
    }
  }

  /** Begins a speech that keeps its engine busy until the signal is aborted. */
  const fill = async (signal: AbortSignal, engine = lane) => {
    const chunks = begin(long(), signal, engine)
    await chunks.next()
    return chunks
  }

  test.each(['SIGSTOP', 'SIGKILL'] as const)(
    'a worker that gets %s before its first audio: the other speaks the text',
    async (signal) => {
      // No other worker runs, so all chunks come from this one.
      const lost = await start()
      lost.child.kill('SIGSTOP')
      const speaking = Array.from({ length: 6 }, () => outcome(request()))
      await bus.flush()
      await start()
      if (signal === 'SIGKILL') lost.child.kill('SIGKILL')
      expect(new Set(await Promise.all(speaking))).toEqual(new Set(['done']))
    },
  )

  test.each(['SIGSTOP', 'SIGKILL'] as const)(
    'a worker that gets %s in the middle, without another one: an error, and never a short speech',
    async (signal) => {
      const lost = await start()
      const chunks = begin(long(), undefined, lane, 5_000)
      await chunks.next()
      await chunks.next()
      lost.child.kill(signal)
      await expect(collect(chunks)).rejects.toMatchObject({ code: 'unavailable' })
    },
  )

  test('a full worker gets no more calls, and another one gets them; with all full, callers are refused', async () => {
    await startTwo({ TTS_ENGINE_PROCESSES: '1', TTS_QUEUE_LIMIT: '0' })
    const hangUp = new AbortController()
    const first = await fill(hangUp.signal)
    for (let turn = 0; turn < 5; turn++) expect(await speakOnce(1)).toBe('done')
    await freeWorkers(1)
    const second = await fill(hangUp.signal)
    expect(await outcome(request())).toBe('capacity_exhausted')
    hangUp.abort()
    await Promise.all([first, second].map((chunks) => collect(chunks).catch(() => undefined)))
    await freeWorkers(2)
    expect(await speak()).toBe('done')
  })

  /** A file with these engines, for as long as `use` takes. */
  const withEngines = async (content: object, use: (file: string) => Promise<void>) => {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-engines-'))
    const file = join(folder, 'engines.json')
    await writeFile(file, JSON.stringify(content))
    await use(file).finally(() => rm(folder, { recursive: true }))
  }

  test('a full engine closes neither other engines of its worker nor the same engine of another worker', async () => {
    const espeak = { type: 'espeak-ng', processes: 1 }
    await withEngines({ engines: { one: espeak, two: espeak } }, async (file) => {
      const pair = await startTwo({ TTS_ENGINES_FILE: file, TTS_QUEUE_LIMIT: '0' })
      const hangUp = new AbortController()
      const filled = [await fill(hangUp.signal, 'one')]
      for (let turn = 0; turn < 5; turn++) {
        expect([await speakOnce(1, 'one'), await speakOnce(2, 'two')]).toEqual(['done', 'done'])
      }
      await freeWorkers(1, 'one')
      filled.push(await fill(hangUp.signal, 'one'))
      await expect(speakOnce(0, 'one')).rejects.toMatchObject({ code: 'unavailable' })
      for (let turn = 0; turn < 5; turn++) expect(await speakOnce(2, 'two')).toBe('done')
      for (const worker of pair) expect(await metric(worker, 'parlance_tts_capacity')).toBe(2)
      hangUp.abort()
      await Promise.all(filled.map((chunks) => collect(chunks).catch(() => undefined)))
    })
  })

  test('a worker whose engines file is wrong prints one line and ends', async () => {
    await withEngines({ engines: { one: { type: 'espeak-ng', processes: 'all' } } }, async (file) => {
      const program = fileURLToPath(new URL('../services/tts/dist/main.js', import.meta.url))
      const child = spawn(process.execPath, [program], {
        env: { PATH: process.env.PATH, NATS_URL: nats.url, TTS_ENGINES_FILE: file, LOG_LEVEL: 'silent' },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let output = ''
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
      const [code] = await once(child, 'close')
      expect(code).toBe(1)
      expect(output).toMatch(/^TTS_ENGINES_FILE: .*engines\.json: engines\.one\.processes: [^\n]*\n$/)
    })
  })

  test('workers share their speech cache through Redis, and speak without it while Redis is down', async () => {
    const redis = await startRedisServer()
    const content = { engines: { [lane]: { type: 'espeak-ng', processes: 1 } }, cache: { redis: {} } }
    await withEngines(content, async (file) => {
      const environment = { TTS_ENGINES_FILE: file, REDIS_URL: redis.url }
      const greetings = Array.from({ length: 20 }, (_, index) => request({ text: `Good morning number ${index}.` }))
      const count = (worker: SpeechWorkerProcess, outcome: 'hit' | 'shared') =>
        metric(worker, `parlance_tts_cache_total{outcome="${outcome}"}`)
      // Replies are tried until the engine has room.
      const options = { lane, deadlineMs: 120_000, purpose: 'reply' } as const
      const speakThreeTimes = async (greeting: SynthesisRequest) => {
        const { signal } = new AbortController()
        for (let turn = 0; turn < 3; turn++) {
          expect((await collect(iterate(createSynthesize(tts)(greeting, options), signal))).at(-1)).toBe('done')
        }
      }
      const first = await start(environment)
      for (const greeting of greetings) await speakThreeTimes(greeting)
      // More where the engine had no room at first.
      expect(await count(first, 'hit')).toBeGreaterThanOrEqual(greetings.length)
      expect(await count(first, 'shared')).toBe(0)
      await endProcess(first.child, 'SIGTERM')
      const second = await start(environment)
      // A look-up that takes longer than 100 ms, as on a busy machine, finds nothing.
      for (const greeting of greetings) {
        await speakThreeTimes(greeting)
        if ((await count(second, 'shared')) > 0) break
      }
      expect(await count(second, 'shared')).toBe(1)
      await redis.stop()
      const before = await count(second, 'hit')
      await speakThreeTimes(request())
      expect(await count(second, 'hit')).toBeGreaterThan(before)
    })
  })

  test('under overload every admitted text is spoken completely, the others are refused, and afterwards all are admitted again', async () => {
    const pair = await startTwo({ TTS_ENGINE_PROCESSES: '2', TTS_QUEUE_LIMIT: '2' })
    const text = 'One sentence and then another one, to have something to do. '.repeat(20)
    const burst = () => Promise.all(Array.from({ length: 60 }, () => outcome(request({ text }))))
    let outcomes = await burst()
    // A busy machine may keep a worker from answering in time.
    for (let turn = 0; turn < 5 && outcomes.includes('unavailable'); turn++) outcomes = await burst()
    expect(new Set(outcomes)).toEqual(new Set(['done', 'capacity_exhausted']))
    for (let turn = 0; turn < 8; turn++) expect(await speak()).toBe('done')
    await freeWorkers(2)
    for (const worker of pair) {
      expect(await metric(worker, 'parlance_tts_waiting')).toBe(0)
      expect(await metric(worker, 'parlance_tts_capacity')).toBe(2)
      expect(await metric(worker, 'parlance_tts_real_time_factor_sum')).toBeGreaterThan(0)
      expect(await metric(worker, 'parlance_tts_queue_seconds_count')).toBeGreaterThan(0)
    }
  })

  test.each([
    ['one_shot', 20],
    ['stream', 30],
  ] as const)('of one workspace every %s of %i at once is spoken by two workers', async (purpose, count) => {
    await startTwo({ TTS_ENGINE_PROCESSES: '1' })
    const asked = request()
    const synthesize = createSynthesize(tts)
    let sentences = 0
    const speakOne = () =>
      collect(
        iterate(
          synthesize({ ...asked, text: `Sentence ${++sentences}.` }, { lane, deadlineMs: 10_000, purpose }),
          new AbortController().signal,
        ),
      ).then(
        (events) => events.at(-1) ?? 'nothing',
        (error: { code: string }) => error.code,
      )
    const burst = () => Promise.all(Array.from({ length: count }, speakOne))
    expect(await outcomesOf(burst, 'done')).toEqual(Array(count).fill('done'))
  })

  test('one workspace alone cannot fill a worker', async () => {
    const worker = await start({ TTS_ENGINE_PROCESSES: '2', TTS_QUEUE_LIMIT: '4' })
    const ofGreedy = long({ workspace_id: randomUUID() })
    const [running, queued] = [new AbortController(), new AbortController()]
    const greedy = [begin(ofGreedy, running.signal), begin(ofGreedy, running.signal)]
    // The engines are busy for as long as nothing more is read.
    for (const chunks of greedy) await chunks.next()
    const inQueue = Array.from({ length: 4 }, () =>
      collect(begin(ofGreedy, queued.signal)).catch((error: { code?: string }) => error.code),
    )
    await eventually(async () => (await metric(worker, 'parlance_tts_waiting')) === 4 || undefined)
    const others = Promise.all([outcome(request()), outcome(request())])
    // A text that finds no place in the queue is refused in less time.
    await Promise.race([others, delay(1_000)])
    running.abort()
    expect(await others).toEqual(['done', 'done'])
    queued.abort()
    await Promise.all([...inQueue, ...greedy.map((chunks) => collect(chunks).catch(() => undefined))])
    expect(await metric(worker, 'parlance_tts_refusals_total')).toBeGreaterThan(0)
  })

  test('after SIGTERM running speeches are finished, and new calls go to other workers', async () => {
    const leaving = await start()
    const chunks = begin(request({ text: 'A long text with a good many sentences. '.repeat(100) }))
    await chunks.next()
    const staying = await start()
    const ended = endProcess(leaving.child, 'SIGTERM')
    // The signal takes a moment to arrive, and a call may come before it.
    const readyUrl = leaving.metricsUrl.replace('/metrics', '/readyz')
    const isReady = () => fetch(readyUrl, { headers: { connection: 'close' } }).then(({ ok }) => ok)
    await eventually(async () => !(await isReady()) || undefined)
    for (let turn = 0; turn < 8; turn++) expect(await speak()).toBe('done')
    expect((await collect(chunks)).at(-1)).toBe('done')
    expect(await ended).toBe(0)
    expect(await metric(staying, 'parlance_tts_queue_seconds_count')).toBe(8)
  })
})
