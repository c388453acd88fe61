import { queueLaneOf, ServiceError, type SynthesisChunk } from '@parlance/contracts'
import { vi } from 'vitest'
import { createSynthesize } from '../../src/speech/synthesize.js'
import { lane, spoken } from './scripted-speech.js'
import { createWorkers, failing, request, whole } from './synthesize-scene.js'

describe('the search for a worker', () => {
  const { bus, tts, startWorker, stopAll, speak } = createWorkers()

  test('a worker that refuses is skipped for one that has room', async () => {
    for (const code of ['capacity_exhausted', 'draining'] as const) {
      const [full, free] = [await startWorker(failing(code)), await startWorker()]
      for (let turn = 0; turn < 4; turn++) expect(await speak()).toEqual(whole)
      expect(full.asked).toBeGreaterThan(0)
      expect(free.asked).toBe(4)
      await stopAll()
    }
  })

  test.each([
    ['when no worker is running', undefined],
    ['when all workers refuse', 'capacity_exhausted'],
    ['when all workers are stopping', 'draining'],
  ] as const)('%s it is capacity_exhausted, long before the deadline', async (_, code) => {
    if (code !== undefined) await startWorker(failing(code))
    // The deadline is later than the end of a test.
    await expect(speak({ deadlineMs: 600_000 })).rejects.toMatchObject({ code: 'capacity_exhausted' })
  })

  test('a worker that can start soon is called before one that queues the request', async () => {
    const queueing = await startWorker(undefined, queueLaneOf(lane))
    const free = await startWorker()
    expect(await speak()).toEqual(whole)
    expect([free.asked, queueing.asked]).toEqual([1, 0])
    free.served.setAvailable(false)
    await bus.flush()
    expect(await speak()).toEqual(whole)
    expect([free.asked, queueing.asked]).toEqual([1, 1])
  })

  test('after all workers were busy the queue is called first for some time, and then a free worker again', async () => {
    const queueing = await startWorker(undefined, queueLaneOf(lane))
    const free = await startWorker()
    free.served.setAvailable(false)
    await bus.flush()
    const synthesize = createSynthesize(tts)
    const { signal } = new AbortController()
    const one = () => synthesize(request, { lane, deadlineMs: 10_000 })(() => {}, signal)
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
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

  test('a request that a full queue refuses is tried once more, and the refusal is passed on with the time to wait', async () => {
    for (const purpose of ['stream', 'one_shot'] as const) {
      const full = await startWorker(async function* () {
        throw new ServiceError('capacity_exhausted', 'No.', { retryAfterSeconds: 7 })
      }, queueLaneOf(lane))
      await expect(speak({ purpose })).rejects.toMatchObject({ code: 'capacity_exhausted', retryAfterSeconds: 7 })
      expect(full.asked).toBe(2)
      await stopAll()
    }
  })

  test('a request that has waited for the maximum time is not put into another queue', async () => {
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

  test('a worker receives the purpose of the speech, and the caller’s wait counts as waiting in the queue', async () => {
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

  test('a worker that has room a moment later is found', async () => {
    const worker = await startWorker()
    worker.served.setAvailable(false)
    await bus.flush()
    const speaking = speak({ purpose: 'reply' })
    setTimeout(() => worker.served.setAvailable(true), 50)
    expect(await speaking).toEqual(whole)
  })
})
