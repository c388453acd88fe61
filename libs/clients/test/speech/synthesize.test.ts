import { jest } from '@jest/globals'
import { iterate } from '@parlance/async/push-stream'
import { createClient, createInProcessBus, type Handlers, type ServedContract, serve } from '@parlance/bus'
import type { SynthesisChunk, SynthesisRequest } from '@parlance/contracts'
import { queueLaneOf, ServiceError, type SpeechPurpose, ttsContract } from '@parlance/contracts'
import { cutText } from '@parlance/speech'
import { createSynthesize } from '../../src/speech/synthesize.js'
import { lane, spoken, voiceId, workspaceId } from './scripted-speech.js'

interface Waiting {
  deadlineMs?: number
  signal?: AbortSignal
  purpose?: SpeechPurpose
}

type Synthesize = Handlers<typeof ttsContract>['synthesize']

const request: SynthesisRequest = {
  workspace_id: workspaceId,
  text: 'Hello',
  cuts: [],
  voice: voiceId,
  variant: null,
  language: null,
  output: { format: 'pcm_s16le', sample_rate: 24000, bit_rate: null },
  speed: 1,
  volume: 1,
  alignment: [],
  private: false,
}

const subject = `parlance.tts.synthesize.${lane}`
const queue = `tts.${lane}`

describe('a synthesis that finds itself a worker', () => {
  const bus = createInProcessBus()
  const tts = createClient(bus, ttsContract)
  const open: ServedContract[] = []
  afterEach(() => Promise.all(open.splice(0).map((served) => served.stop())))

  /** A worker, and how often it was asked. */
  const startWorker = async (synthesize: Synthesize = (asked) => spoken(asked), at = lane) => {
    const worker = { asked: 0, served: undefined as unknown as ServedContract }
    const counted: Synthesize = (asked, context) => {
      worker.asked += 1
      return synthesize(asked, context)
    }
    worker.served = await serve(bus, ttsContract, { synthesize: counted }, { instanceId: `w${open.length}`, lane: at })
    open.push(worker.served)
    return worker
  }
  const failing = (code: ConstructorParameters<typeof ServiceError>[0]): Synthesize =>
    async function* () {
      throw new ServiceError(code, 'No.')
    }
  const speak = async ({ deadlineMs = 10_000, signal = new AbortController().signal, ...patience }: Waiting = {}) => {
    const chunks: SynthesisChunk[] = []
    for await (const chunk of iterate(createSynthesize(tts)(request, { lane, deadlineMs, ...patience }), signal))
      chunks.push(chunk)
    return chunks.map(({ event }) => event)
  }
  const whole = ['started', 'audio', 'segment', 'done']

  test('a worker that refuses is passed over for one that has room', async () => {
    for (const code of ['capacity_exhausted', 'draining'] as const) {
      const [full, free] = [await startWorker(failing(code)), await startWorker()]
      for (let turn = 0; turn < 4; turn++) expect(await speak()).toEqual(whole)
      expect(full.asked).toBeGreaterThan(0)
      expect(free.asked).toBe(4)
      await Promise.all(open.splice(0).map((served) => served.stop()))
    }
  })

  test.each([
    ['when nobody is there', undefined],
    ['when all that are there refuse', 'capacity_exhausted'],
    ['when all that are there are stopping', 'draining'],
  ] as const)('%s it is capacity_exhausted, long before the deadline', async (_, code) => {
    if (code !== undefined) await startWorker(failing(code))
    const deadline = new Promise((resolve) => setTimeout(resolve, 2_500, 'too late').unref())
    const failure = await Promise.race([speak({ deadlineMs: 25_000 }).catch((error: unknown) => error), deadline])
    expect(failure).toMatchObject({ code: 'capacity_exhausted' })
  })

  test('a worker that can begin soon is asked before one that queues the request', async () => {
    const queueing = await startWorker(undefined, queueLaneOf(lane))
    const free = await startWorker()
    expect(await speak()).toEqual(whole)
    expect([free.asked, queueing.asked]).toEqual([1, 0])
    free.served.setAvailable(false)
    await bus.flush()
    expect(await speak()).toEqual(whole)
    expect([free.asked, queueing.asked]).toEqual([1, 1])
  })

  test('after all workers were busy the queue is asked first for a moment, and then a free worker again', async () => {
    const queueing = await startWorker(undefined, queueLaneOf(lane))
    const free = await startWorker()
    free.served.setAvailable(false)
    await bus.flush()
    const synthesize = createSynthesize(tts)
    const { signal } = new AbortController()
    const one = () => synthesize(request, { lane, deadlineMs: 10_000 })(() => {}, signal)
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now())
    await one()
    free.served.setAvailable(true)
    await bus.flush()
    await one()
    expect([free.asked, queueing.asked]).toEqual([0, 2])
    clock.mockReturnValue(performance.now() + 101)
    await one()
    clock.mockRestore()
    expect([free.asked, queueing.asked]).toEqual([1, 2])
  })

  test.each([
    ['a queue is final', queueLaneOf(lane), 1],
    ['a worker that was thought to be free is tried once more', lane, 2],
  ])('the refusal of %s, and is passed on with the time to wait', async (_, at, times) => {
    for (const purpose of ['stream', 'one_shot'] as const) {
      const full = await startWorker(async function* () {
        throw new ServiceError('capacity_exhausted', 'No.', { retryAfterSeconds: 7 })
      }, at)
      await expect(speak({ purpose })).rejects.toMatchObject({ code: 'capacity_exhausted', retryAfterSeconds: 7 })
      expect(full.asked).toBe(times)
      await Promise.all(open.splice(0).map((served) => served.stop()))
    }
  })

  test('a request that a worker let wait for as long as it may is not put into another queue', async () => {
    const full = await startWorker(async function* () {
      await new Promise((resolve) => setTimeout(resolve, 600))
      throw new ServiceError('capacity_exhausted', 'No.')
    })
    await expect(speak()).rejects.toMatchObject({ code: 'capacity_exhausted' })
    expect(full.asked).toBe(1)
  })

  test.each(['reply', 'continuation'] as const)('a refused %s is tried until there is room', async (purpose) => {
    let refusals = 5
    const worker = await startWorker((asked) => {
      if (refusals-- > 0) throw new ServiceError('capacity_exhausted', 'No.')
      return spoken(asked)
    }, queueLaneOf(lane))
    expect(await speak({ purpose })).toEqual(whole)
    expect(worker.asked).toBe(6)
  })

  test('a worker is sent what the speech is for, and the caller’s wait counts as waiting in the queue', async () => {
    const purposes: unknown[] = []
    const worker = await startWorker((asked) => {
      purposes.push(asked.purpose)
      return spoken(asked)
    })
    worker.served.setAvailable(false)
    await bus.flush()
    setTimeout(() => worker.served.setAvailable(true), 50)
    const chunks: SynthesisChunk[] = []
    const { signal } = new AbortController()
    await createSynthesize(tts)(request, { lane, deadlineMs: 10_000, purpose: 'stream' })(
      (chunk) => void chunks.push(chunk),
      signal,
    )
    expect(purposes).toEqual(['stream'])
    expect(chunks[0]).toMatchObject({ event: 'started', queue_ms: expect.any(Number) })
    const [started] = chunks as Extract<SynthesisChunk, { event: 'started' }>[]
    expect(started!.queue_ms).toBeGreaterThan(30)
    expect(started!.ttfa_ms).toBe(started!.queue_ms + 1)
  })

  test('room that comes up a moment later is found', async () => {
    const worker = await startWorker()
    worker.served.setAvailable(false)
    await bus.flush()
    const speaking = speak({ purpose: 'reply' })
    setTimeout(() => worker.served.setAvailable(true), 50)
    expect(await speaking).toEqual(whole)
  })

  test('a worker that takes the request and does not answer costs time, not the speech', async () => {
    const free = await startWorker()
    free.served.setAvailable(false)
    await bus.flush()
    const take = () => {
      paused.unsubscribe()
      free.served.setAvailable(true)
    }
    const paused = bus.subscribe(subject, take, { queue })
    expect(await speak()).toEqual(whole)
    expect(free.asked).toBe(1)
  })

  test('after three workers that were lost with the request in hand it gives up', async () => {
    const worker = await startWorker(failing('unavailable'))
    await expect(speak()).rejects.toMatchObject({ code: 'unavailable' })
    expect(worker.asked).toBe(3)
  })

  test('an engine that fails is not asked again, by this worker or by another', async () => {
    for (const code of ['upstream_error', 'upstream_timeout', 'internal_error'] as const) {
      const workers = [await startWorker(failing(code)), await startWorker(failing(code))]
      await expect(speak()).rejects.toMatchObject({ code })
      expect(workers[0]!.asked + workers[1]!.asked).toBe(1)
      await Promise.all(open.splice(0).map((served) => served.stop()))
    }
  })

  test('when nobody answers within the deadline it is upstream_timeout', async () => {
    const paused = bus.subscribe(subject, () => undefined, { queue })
    try {
      await expect(speak({ deadlineMs: 1_500 })).rejects.toMatchObject({ code: 'upstream_timeout' })
    } finally {
      paused.unsubscribe()
    }
  })

  test('what is wrong with the request is told at once, by the first worker', async () => {
    for (const code of ['invalid_request', 'voice_not_found', 'unsupported_format'] as const) {
      const worker = await startWorker(failing(code))
      await expect(speak()).rejects.toMatchObject({ code })
      expect(worker.asked).toBe(1)
      await Promise.all(open.splice(0).map((served) => served.stop()))
    }
  })

  test.each(['capacity_exhausted', 'upstream_error'] as const)(
    'after the first chunk %s is passed on as it is',
    async (code) => {
      const worker = await startWorker(async function* (asked) {
        yield { event: 'started', output: asked.output, queue_ms: 0, ttfa_ms: 1 }
        throw new ServiceError(code, 'In the middle.')
      })
      await expect(speak()).rejects.toMatchObject({ code, detail: 'In the middle.' })
      expect(worker.asked).toBe(1)
    },
  )

  test('a speech server without room, which its worker has asked again, is not asked again by anyone else', async () => {
    for (const purpose of ['one_shot', 'reply'] as const) {
      const worker = await startWorker(async function* () {
        throw new ServiceError('capacity_exhausted', 'No.', { isUpstream: true })
      })
      await expect(speak({ purpose })).rejects.toMatchObject({ code: 'capacity_exhausted' })
      expect(worker.asked).toBe(1)
      await Promise.all(open.splice(0).map((served) => served.stop()))
    }
  })

  describe('of several segments, whose worker is lost', () => {
    const [text, cuts] = ['One. Two. Three. Four.', [4, 9, 16]]
    const asked = { ...request, text, cuts }
    const collect = async (): Promise<SynthesisChunk[]> => {
      const chunks: SynthesisChunk[] = []
      const { signal } = new AbortController()
      for await (const chunk of iterate(createSynthesize(tts)(asked, { lane, deadlineMs: 10_000 }), signal)) {
        chunks.push(chunk)
      }
      return chunks
    }
    /** Is lost, each time it is asked, after so many chunks. */
    const lostAfter = (...counts: number[]): Synthesize =>
      async function* (one) {
        const most = counts.shift() ?? Number.POSITIVE_INFINITY
        let count = 0
        for await (const chunk of spoken(one)) {
          if (count++ === most) throw new ServiceError('unavailable', 'Lost.')
          yield chunk
        }
      }

    test('between two of them, is asked for the rest elsewhere, and sounds as if nothing had been', async () => {
      await startWorker()
      const whole = await collect()
      await Promise.all(open.splice(0).map((served) => served.stop()))

      const texts: string[] = []
      // `started` and two of each segment.
      const lossy = lostAfter(1 + 2 * 2, 1 + 2 * 1)
      await startWorker((one, context) => {
        texts.push(cutText(one.text, one.cuts!).join('|'))
        return lossy(one, context)
      })
      expect(await collect()).toEqual(whole)
      expect(texts).toEqual(['One.| Two.| Three.| Four.', ' Three.| Four.', ' Four.'])
    })

    test('within one of them, fails after all that was made before', async () => {
      const worker = await startWorker(lostAfter(1 + 2 + 1))
      await expect(collect()).rejects.toMatchObject({ code: 'unavailable', detail: 'Lost.' })
      expect(worker.asked).toBe(1)
    })

    test('is not asked for the rest for ever', async () => {
      const worker = await startWorker(lostAfter(3, 3, 3))
      await expect(collect()).rejects.toMatchObject({ code: 'unavailable' })
      expect(worker.asked).toBe(3)
    })

    test('is not asked for the rest where its engine failed between two of them', async () => {
      const worker = await startWorker(async function* (one) {
        for await (const chunk of spoken(one)) {
          yield chunk
          if (chunk.event === 'segment') throw new ServiceError('upstream_error', 'The engine failed.')
        }
      })
      await expect(collect()).rejects.toMatchObject({ code: 'upstream_error' })
      expect(worker.asked).toBe(1)
    })
  })

  test('an abort ends it with its reason, also between two tries', async () => {
    const controller = new AbortController()
    const reason = new Error('hung up')
    const speaking = speak({ signal: controller.signal, purpose: 'reply' })
    setTimeout(() => controller.abort(reason), 30)
    await expect(speaking).rejects.toBe(reason)
  })

  test('leaving the loop at the first chunk stops the worker', async () => {
    let stop = () => {}
    const stopped = new Promise<void>((resolve) => {
      stop = resolve
    })
    await startWorker(async function* (asked, { signal }) {
      signal.addEventListener('abort', stop)
      yield { event: 'started', output: asked.output, queue_ms: 0, ttfa_ms: 1 }
      await stopped
    })
    const { signal } = new AbortController()
    for await (const _ of iterate(createSynthesize(tts)(request, { lane, deadlineMs: 5_000 }), signal)) break
    await stopped
  })
})
