import { iterate } from '@parlance/async/push-stream'
import { ServiceError } from '@parlance/contracts'
import { createSynthesize } from '../../src/speech/synthesize.js'
import { lane } from './scripted-speech.js'
import { createWorkers, failing, queue, request, subject, whole } from './synthesize-scene.js'

describe('a synthesis whose worker fails, or that is aborted', () => {
  const { bus, tts, startWorker, stopAll, speak } = createWorkers()

  test('a worker that takes the request and does not answer only delays the speech', async () => {
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

  test('it gives up after two workers were lost during the request, and the second was informed of the first', async () => {
    const told: unknown[] = []
    const worker = await startWorker((asked, context) => {
      told.push(asked.ended_processes)
      return failing('unavailable')(asked, context)
    })
    await expect(speak()).rejects.toMatchObject({ code: 'unavailable' })
    expect([worker.asked, told]).toEqual([2, [0, 1]])
  })

  test('an engine that fails is not called again, by this worker or by another', async () => {
    for (const code of ['upstream_error', 'upstream_timeout', 'internal_error'] as const) {
      const workers = [await startWorker(failing(code)), await startWorker(failing(code))]
      await expect(speak()).rejects.toMatchObject({ code })
      expect(workers[0]!.asked + workers[1]!.asked).toBe(1)
      await stopAll()
    }
  })

  test('when no worker answers within the deadline it is upstream_timeout', async () => {
    const paused = bus.subscribe(subject, () => undefined, { queue })
    try {
      await expect(speak({ deadlineMs: 1_500 })).rejects.toMatchObject({ code: 'upstream_timeout' })
    } finally {
      paused.unsubscribe()
    }
  })

  test('an error in the request is reported at once, by the first worker', async () => {
    for (const code of ['invalid_request', 'voice_not_found', 'unsupported_format'] as const) {
      const worker = await startWorker(failing(code))
      await expect(speak()).rejects.toMatchObject({ code })
      expect(worker.asked).toBe(1)
      await stopAll()
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

  test('a speech server without capacity, which its worker has retried, is not called through another worker', async () => {
    for (const purpose of ['one_shot', 'reply'] as const) {
      const worker = await startWorker(async function* () {
        throw new ServiceError('capacity_exhausted', 'No.', { isUpstream: true })
      })
      await expect(speak({ purpose })).rejects.toMatchObject({ code: 'capacity_exhausted' })
      expect(worker.asked).toBe(1)
      await stopAll()
    }
  })

  test('an abort ends it with its reason, also between two attempts', async () => {
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
