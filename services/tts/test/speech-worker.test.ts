import { createClient } from '@parlance/bus'
import { catalogContract, queueLaneOf, type SpeechPurpose } from '@parlance/contracts'
import {
  collect,
  gate,
  nova,
  openWorker,
  request,
  speak,
  useWorkers,
  voiceOf,
  type WorkerOptions,
} from './speech-worker-scene.js'
import { createToneEngine, msPerCharacter } from './tone-engine.js'

useWorkers()

describe('lanes', () => {
  test('each engine answers in its own lane, and its metadata is shown to the NATS tools', async () => {
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
  /** A worker whose remote engine speaks one text at a time, when the test allows it. */
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

  test('lets requests wait, and serves replies of conversations first', async () => {
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

  test('reports how long a request waited', async () => {
    const { say, waiting, letAllGo } = await openQueue()
    const texts = ['first', 'second'].map((text) => say(text, 'one_shot'))
    await waiting(1)
    const waitsSinceMs = performance.now()
    await new Promise((resolve) => setTimeout(resolve, 20))
    const waitedMs = performance.now() - waitsSinceMs
    await letAllGo()
    const [first, second] = (await Promise.all(texts)).map(([started]) => started)
    expect(first).toMatchObject({ event: 'started' })
    expect((second as { queue_ms: number }).queue_ms).toBeGreaterThan(waitedMs - 1)
  })

  test('refuses a stream after two seconds, and reports when to try again', async () => {
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

describe('an engine that is given pieces', () => {
  const pieces = ['The old bridge was closed for repairs last autumn, ', 'so most of us began to take the ferry.']

  test('speaks the first piece of a text between two pieces of another, whose listener has audio in hand', async () => {
    const gates: (() => void)[] = []
    const remote = createToneEngine({
      name: 'remote',
      voices: [nova],
      isPiecewise: true,
      before: () => new Promise<void>((resolve) => void gates.push(resolve)),
    })
    const { tts, bus } = await openWorker({ remote, queueLimit: 10 })
    const at = { lane: queueLaneOf('remote'), deadlineMs: 10_000 }
    const say = (text: string) => collect(tts.synthesize(request({ text }), at))
    const long = say(pieces.join(''))
    while (gates.length < 1) await bus.flush()
    const other = say('Hello.')
    for (let turn = 0; turn < 20; turn++) await bus.flush()
    for (let piece = 0; piece < 3; piece++) {
      while (gates.length <= piece) await new Promise(setImmediate)
      gates[piece]!()
    }
    await Promise.all([long, other])
    expect(remote.begun).toEqual([pieces[0], 'Hello.', pieces[1]])
  })

  test('speaks the words of all pieces on one clock, with the pause of the punctuation between them', async () => {
    const remote = createToneEngine({ name: 'remote', voices: [nova], isPiecewise: true, pauseMsAfter: () => 150 })
    const { tts } = await openWorker({ remote, queueLimit: 10 })
    const chunks = await speak(tts, 'remote', { text: pieces.join(''), alignment: ['word'] })
    expect(remote.begun).toEqual(pieces)
    const words = chunks.flatMap((chunk) => (chunk.event === 'alignment' ? chunk.words : []))
    expect(words.map(({ text }) => text).join(' ')).toBe(pieces.join('').replaceAll(/[,.]/g, ''))
    const secondPieceMs = pieces[0]!.length * msPerCharacter + 150
    expect(words.find(({ text }) => text === 'so')!.start_ms).toBeCloseTo(secondPieceMs, 0)
    const wholeMs = secondPieceMs + pieces[1]!.length * msPerCharacter
    expect(chunks.at(-1)).toMatchObject({ event: 'done', audio_duration_ms: wholeMs })
  })
})

test('a catalog that starts later receives what each engine offers, many voices in parts that a message holds', async () => {
  const voices = Array.from({ length: 900 }, (_, n) => voiceOf(`Voice ${n}`, 'remote'))
  const { bus } = await openWorker({ remote: createToneEngine({ name: 'remote', voices }) })
  const received = new Map<string, number>()
  const catalog = createClient(bus, catalogContract)
  catalog.voicesOffered.subscribe(({ engine, part, voices: part_ }) => received.set(`${engine} ${part}`, part_.length))
  catalog.voicesWanted.publish({})
  await bus.flush()
  await bus.flush()
  expect([...received.values()].reduce((sum, count) => sum + count)).toBe(901)
  expect(received.size).toBeGreaterThan(2)
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
