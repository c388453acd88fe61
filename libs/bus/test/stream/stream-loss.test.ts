import { iterate } from '@parlance/async/push-stream'
import { ServiceError } from '@parlance/contracts'
import { createClient, missingReplyOf } from '../../src/index.js'
import { callerFrame, encodeFrame, handlerFrame } from '../../src/stream/stream-frame.js'
import { encodeChunk, kitchen, signalled } from '../buses.js'
import { describeCourses } from './courses.js'

describeCourses('a stream whose handler is lost', (scene) => {
  const { serveCourses, courses, serveFrames } = scene

  test('a stream that no instance serves fails at once as unavailable', async () => {
    const failure: unknown = await courses(1, { deadlineMs: 60_000 })
      .next()
      .catch((error) => error)
    expect(failure).toMatchObject({ code: 'unavailable' })
    expect(missingReplyOf(failure)).toBe('no-responders')
  })

  test('a first chunk that misses the deadline is upstream_timeout, in spite of heartbeats', async () => {
    await serveCourses(async function* (_, { signal }) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    })
    await expect(courses(1, { deadlineMs: 700 }).next()).rejects.toMatchObject({ code: 'upstream_timeout' })
  })

  test('a slow handler is not lost', async () => {
    const go = signalled()
    await serveCourses(async function* () {
      yield { course: 0 }
      await go.promise
      yield { course: 1 }
    })
    const stream = courses(2)
    await stream.next()
    setTimeout(go.resolve, 2_600)
    await expect(stream.next()).resolves.toMatchObject({ value: { course: 1 } })
  })

  test('a handler that falls silent in the middle is an error, never a short stream', async () => {
    await serveFrames([encodeChunk(0, { course: 0 })])
    const stream = courses(2)
    await expect(stream.next()).resolves.toMatchObject({ value: { course: 0 } })
    await expect(stream.next()).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('the end of a handler’s process is noticed long before the handler would count as silent', async () => {
    const ended = await serveFrames([encodeChunk(0, { course: 0 })])
    const stream = courses(2)
    await stream.next()
    ended.end()
    const frozen = iterate(createClient(scene.pair.caller, kitchen).courses({ count: 1 }, { instance: 'frozen' }))
    scene.pair.callee.subscribe('parlance.kitchen.courses.frozen', () => undefined)
    await scene.pair.callee.flush()
    const order: string[] = []
    const record = (name: string) => (error: ServiceError) => order.push(`${name}: ${error.code}`)
    await Promise.all([stream.next().catch(record('ended')), frozen.next().catch(record('frozen'))])
    expect(order).toEqual(['ended: unavailable', 'frozen: unavailable'])
  })

  test('a request that is received and not answered is unavailable, long before the deadline', async () => {
    const cancelled = signalled<number>()
    const control = scene.pair.callee.inbox()
    const waking = signalled<string>()
    scene.pair.callee.subscribe('parlance.kitchen.courses', ({ reply }) => waking.resolve(reply!))
    scene.pair.callee.subscribe(control, ({ data }) => cancelled.resolve(data[0]!))
    await scene.pair.callee.flush()
    const failure: unknown = await courses(1, { deadlineMs: 60_000 })
      .next()
      .catch((error) => error)
    expect(failure).toMatchObject({ code: 'unavailable' })
    expect(missingReplyOf(failure)).toBe('no-reply')
    // A handler that answers later is cancelled.
    scene.pair.callee.publish(await waking.promise, encodeFrame(handlerFrame.open, 0), { reply: control })
    expect(await cancelled.promise).toBe(callerFrame.cancel)
  })

  test('a caller whose event loop was blocked does not treat the handler as lost', async () => {
    await serveFrames([encodeChunk(0, { course: 0 })])
    const stream = courses(2)
    await stream.next()
    const silentUntilMs = performance.now() + 1_900
    while (performance.now() < silentUntilMs);
    // The sweep runs before the messages are read. Only silence from now on counts.
    const outcome = await Promise.race([
      stream.next().then(
        () => 'chunk',
        () => 'failed',
      ),
      new Promise((resolve) => setTimeout(resolve, 600, 'waits')),
    ])
    expect(outcome).toBe('waits')
    await stream.return?.()
  })

  test.each([
    ['a chunk', [encodeChunk(0, { course: 0 }), encodeChunk(2, { course: 2 })]],
    ['the last chunk', [encodeChunk(0, { course: 0 }), encodeFrame(handlerFrame.end, 2)]],
  ])('the loss of %s is an error, never a short stream', async (_, frames) => {
    await serveFrames(frames)
    const stream = courses(3)
    await stream.next()
    const failure: unknown = await stream.next().catch((error) => error)
    expect(failure).toMatchObject({ code: 'upstream_error' })
    expect(missingReplyOf(failure)).toBe('incomplete')
  })

  test('the same error does not count as a missing reply when an instance answers with it', async () => {
    await serveCourses(async function* () {
      throw new ServiceError('unavailable', 'The kitchen is closed.')
    })
    const failure: unknown = await courses(1)
      .next()
      .catch((error) => error)
    expect(failure).toMatchObject({ code: 'unavailable' })
    expect(missingReplyOf(failure)).toBeUndefined()
  })
})
