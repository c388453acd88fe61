import { jest } from '@jest/globals'
import { iterate } from '@parlance/async/push-stream'
import { ServiceError } from '@parlance/contracts'
import fc from 'fast-check'
import { piecesOf } from '../src/bus.js'
import type { CallOptions, Handlers } from '../src/index.js'
import { createClient, missingReplyOf, serve } from '../src/index.js'
import { callerFrame, encodeFrame, handlerFrame, visitFrames } from '../src/stream/stream-frame.js'
import { streamWindow } from '../src/stream/stream-window.js'
import type { BusPair } from './buses.js'
import { describeBuses, encodeChunk, kitchen, newInstanceId, signalled } from './buses.js'

type Courses = Handlers<typeof kitchen>['courses']

describeBuses('a stream', (open) => {
  let pair: BusPair
  beforeEach(async () => {
    pair = await open()
  })
  afterEach(() => pair.close())

  const serveCourses = (courses: Courses) =>
    serve(pair.callee, kitchen, { cook: () => ({ served: '' }), courses }, { instanceId: newInstanceId() })
  const courses = (count: number, { signal, ...options }: CallOptions = {}) =>
    iterate(createClient(pair.caller, kitchen).courses({ count }, options), signal)

  /** A producer that sends just these frames and then falls silent; `end` ends it as the end of its process does. */
  const serveFrames = async (frames: Uint8Array[]) => {
    pair.callee.subscribe('parlance.kitchen.courses', ({ reply }) => {
      pair.callee.publish(reply!, encodeFrame(handlerFrame.open, 0), { reply: 'parlance.test.control' })
      for (const frame of frames) pair.callee.publish(reply!, frame)
    })
    // Somebody listens to the control frames, as a frozen process still does.
    const control = pair.callee.subscribe('parlance.test.control', () => undefined)
    await pair.callee.flush()
    return { end: () => control.unsubscribe() }
  }

  test('all chunks arrive once, in order, with their bytes', async () => {
    await serveCourses(async function* ({ count }) {
      for (let course = 0; course < count; course++) yield { course, data: new Uint8Array([course & 255, 7]) }
    })
    let expected = 0
    for await (const { course, data } of courses(1000)) {
      expect(course).toBe(expected++)
      expect([...data!]).toEqual([course & 255, 7])
    }
    expect(expected).toBe(1000)
  })

  test('more than a window waits for nothing but its reader', async () => {
    await serveCourses(async function* ({ count }) {
      for (let course = 0; course < count; course++) yield { course, data: new Uint8Array(streamWindow.bytes / 4) }
    })
    // What is kept back to leave with others has a timer, and a heartbeat takes it along: here neither ever comes.
    jest.useFakeTimers({
      doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'],
    })
    try {
      let heard = 0
      for await (const { course } of courses(20)) expect(course).toBe(heard++)
      expect(heard).toBe(20)
    } finally {
      jest.useRealTimers()
    }
  })

  test('any bytes and any pace of the reader bring the same stream', async () => {
    let sent: Uint8Array[] = []
    await serveCourses(async function* () {
      for (const [course, data] of sent.entries()) yield data.length > 0 ? { course, data } : { course }
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 100 }),
        fc.infiniteStream(fc.boolean()),
        async (chunks, pauses) => {
          sent = chunks
          const got: Uint8Array[] = []
          for await (const { data } of courses(0)) {
            got.push(data ?? new Uint8Array(0))
            if (pauses.next().value) await new Promise(setImmediate)
          }
          expect(got.map((data) => [...data])).toEqual(chunks.map((data) => [...data]))
        },
      ),
      { numRuns: 40 },
    )
  })

  /** What is in each message of the streams that are served from now on. */
  const sentMessages = () => {
    const messages: number[][] = []
    const publish = pair.callee.publish.bind(pair.callee)
    jest.spyOn(pair.callee, 'publish').mockImplementation((subject, data, options) => {
      const kinds: number[] = []
      if (subject.startsWith('_INBOX')) visitFrames(Buffer.concat(piecesOf(data)), (kind) => kinds.push(kind))
      if (kinds.includes(handlerFrame.chunk)) messages.push(kinds)
      publish(subject, data, options)
    })
    return messages
  }

  test('what is made at once leaves in one message, with the word that the request was heard', async () => {
    const messages = sentMessages()
    const moment = signalled()
    await serveCourses(async function* () {
      await moment.promise
      yield { course: 0 }
      yield { course: 1, data: new Uint8Array(100) }
    })
    const streams = Array.from({ length: 20 }, () => courses(2).next())
    setTimeout(moment.resolve, 3)
    await Promise.all(streams)
    const { open: opened, chunk } = handlerFrame
    const whole = messages.filter((kinds) => String(kinds) === String([opened, chunk, chunk]))
    // A machine that stands still for a moment may part some of them.
    expect(whole.length).toBeGreaterThan(10)
  })

  test('the first bytes leave before more is made', async () => {
    const messages = sentMessages()
    let sentBefore = 0
    await serveCourses(async function* () {
      yield { course: 0 }
      yield { course: 1, data: new Uint8Array(100) }
      sentBefore = messages.flat().filter((kind) => kind === handlerFrame.chunk).length
    })
    for await (const _ of courses(2));
    expect(sentBefore).toBe(2)
  })

  test('that a request was heard is told where nothing else is for long', async () => {
    const heard = signalled()
    await serveCourses(async function* (_, { signal }) {
      heard.resolve()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      yield { course: 0 }
    })
    const leave = new AbortController()
    const stream = courses(1, { signal: leave.signal }).next()
    stream.catch(() => undefined)
    await heard.promise
    // Longer than a producer may take to say that it is there.
    await expect(Promise.race([stream, new Promise((resolve) => setTimeout(resolve, 1_300, 'waits'))])).resolves.toBe(
      'waits',
    )
    leave.abort()
    await expect(stream).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('nothing starts before the first chunk is asked for', async () => {
    let started = false
    await serveCourses(async function* () {
      started = true
    })
    const stream = courses(1)
    await stream.return?.()
    await pair.callee.flush()
    expect(started).toBe(false)
    await expect(stream.next()).resolves.toEqual({ done: true, value: undefined })
  })

  test('a reader that stops holds the producer at the window, and reading on lets it go on', async () => {
    let produced = 0
    let atWindow = signalled()
    await serveCourses(async function* ({ count }) {
      for (let course = 0; course < count; course++) {
        produced += 1
        if (produced === streamWindow.chunks + 1) atWindow.resolve()
        yield { course }
      }
    })
    const stream = courses(5000)
    await stream.next()
    await atWindow.promise
    await pair.callee.flush()
    await pair.caller.flush()
    await pair.callee.flush()
    expect(produced).toBe(streamWindow.chunks + 1)
    atWindow = signalled()
    let read = 1
    for await (const _ of stream) read += 1
    expect(read).toBe(5000)
  })

  test('large chunks fill the window sooner, and reading on lets the producer go on', async () => {
    const data = new Uint8Array(streamWindow.bytes / 2)
    let produced = 0
    const atWindow = signalled()
    await serveCourses(async function* ({ count }) {
      for (let course = 0; course < count; course++) {
        produced += 1
        if (produced === 3) atWindow.resolve()
        yield { course, data }
      }
    })
    const stream = courses(40)
    const first = stream.next()
    await atWindow.promise
    await pair.callee.flush()
    await pair.caller.flush()
    await pair.callee.flush()
    // The first was taken, which is half of the window.
    await first
    expect(produced).toBeLessThanOrEqual(4)
    let read = 1
    for await (const _ of stream) read += 1
    expect(read).toBe(40)
  })

  test('leaving the loop stops the producer', async () => {
    const stopped = signalled()
    let produced = 0
    await serveCourses(async function* ({ count }, { signal }) {
      try {
        for (let course = 0; course < count; course++) {
          produced += 1
          yield { course }
        }
      } finally {
        expect(signal.aborted).toBe(true)
        stopped.resolve()
      }
    })
    for await (const { course } of courses(1_000_000)) if (course === 3) break
    await stopped.promise
    expect(produced).toBeLessThanOrEqual(streamWindow.chunks + 1)
  })

  test('an abort rejects at once with its reason, and stops a producer that waits for something else', async () => {
    const stopped = signalled()
    await serveCourses(async function* (_, { signal }) {
      yield { course: 0 }
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      stopped.resolve()
    })
    const controller = new AbortController()
    const stream = courses(2, { signal: controller.signal })
    await stream.next()
    const waiting = stream.next()
    const reason = new Error('hung up')
    controller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    await stopped.promise
    await expect(stream.next()).resolves.toMatchObject({ done: true })
  })

  test('leaving before the producer has answered stops it too', async () => {
    const stopped = signalled()
    await serveCourses(async function* (_, { signal }) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      stopped.resolve()
    })
    const controller = new AbortController()
    const waiting = courses(1, { signal: controller.signal }).next()
    controller.abort(new Error('at once'))
    await expect(waiting).rejects.toThrow('at once')
    await stopped.promise
  })

  test('an error before the first chunk arrives as its code', async () => {
    await serveCourses(async function* (_, { fail }) {
      fail('capacity_exhausted', 'The kitchen is full.')
    })
    await expect(courses(1).next()).rejects.toMatchObject({
      code: 'capacity_exhausted',
      retryAfterSeconds: undefined,
    })
  })

  test('an error says when to try again, where the handler knows', async () => {
    await serveCourses(async function* () {
      throw new ServiceError('capacity_exhausted', 'The kitchen is full.', { retryAfterSeconds: 30 })
    })
    await expect(courses(1).next()).rejects.toMatchObject({ code: 'capacity_exhausted', retryAfterSeconds: 30 })
  })

  test('an error in the middle comes after the chunks before it', async () => {
    await serveCourses(async function* (_, { fail }) {
      yield { course: 0 }
      yield { course: 1 }
      fail('capacity_exhausted', 'The kitchen is full.')
    })
    const got: number[] = []
    const read = async () => {
      for await (const { course } of courses(1)) got.push(course)
    }
    await expect(read()).rejects.toMatchObject({ code: 'capacity_exhausted' })
    expect(got).toEqual([0, 1])
  })

  test('a request that breaks the contract is refused, naming the field', async () => {
    await serveCourses(async function* () {})
    await expect(courses('two' as never).next()).rejects.toMatchObject({
      code: 'invalid_request',
      detail: expect.stringContaining('count'),
    })
  })

  test('nobody serving is told at once as unavailable', async () => {
    const failure: unknown = await courses(1, { deadlineMs: 60_000 })
      .next()
      .catch((error) => error)
    expect(failure).toMatchObject({ code: 'unavailable' })
    expect(missingReplyOf(failure)).toBe('no-responders')
  })

  test('a first chunk that does not come in time is upstream_timeout, heartbeats or not', async () => {
    await serveCourses(async function* (_, { signal }) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    })
    await expect(courses(1, { deadlineMs: 700 }).next()).rejects.toMatchObject({ code: 'upstream_timeout' })
  })

  test('a slow producer is not a dead one', async () => {
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

  test('a producer that falls silent in the middle is an error, never a short stream', async () => {
    await serveFrames([encodeChunk(0, { course: 0 })])
    const stream = courses(2)
    await expect(stream.next()).resolves.toMatchObject({ value: { course: 0 } })
    await expect(stream.next()).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('a producer whose process has ended is noticed before its silence is', async () => {
    const ended = await serveFrames([encodeChunk(0, { course: 0 })])
    const stream = courses(2)
    await stream.next()
    ended.end()
    const frozen = iterate(createClient(pair.caller, kitchen).courses({ count: 1 }, { instance: 'frozen' }))
    pair.callee.subscribe('parlance.kitchen.courses.frozen', () => undefined)
    await pair.callee.flush()
    const order: string[] = []
    const told = (name: string) => (error: ServiceError) => order.push(`${name}: ${error.code}`)
    await Promise.all([stream.next().catch(told('ended')), frozen.next().catch(told('frozen'))])
    expect(order).toEqual(['ended: unavailable', 'frozen: unavailable'])
  })

  test('a request that is taken and not answered is unavailable, long before the deadline', async () => {
    const cancelled = signalled<number>()
    const control = pair.callee.inbox()
    const waking = signalled<string>()
    pair.callee.subscribe('parlance.kitchen.courses', ({ reply }) => waking.resolve(reply!))
    pair.callee.subscribe(control, ({ data }) => cancelled.resolve(data[0]!))
    await pair.callee.flush()
    const failure: unknown = await courses(1, { deadlineMs: 60_000 })
      .next()
      .catch((error) => error)
    expect(failure).toMatchObject({ code: 'unavailable' })
    expect(missingReplyOf(failure)).toBe('no-reply')
    // What wakes up later is told that nobody waits for it any more.
    pair.callee.publish(await waking.promise, encodeFrame(handlerFrame.open, 0), { reply: control })
    expect(await cancelled.promise).toBe(callerFrame.cancel)
  })

  test('a consumer that was itself held up takes nobody for dead', async () => {
    await serveFrames([encodeChunk(0, { course: 0 })])
    const stream = courses(2)
    await stream.next()
    const silentUntilMs = performance.now() + 1_900
    while (performance.now() < silentUntilMs);
    // The sweep comes before anything is read; only what is silent from now on counts.
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
  ])('losing %s on the way is an error, never a short stream', async (_, frames) => {
    await serveFrames(frames)
    const stream = courses(3)
    await stream.next()
    const failure: unknown = await stream.next().catch((error) => error)
    expect(failure).toMatchObject({ code: 'upstream_error' })
    expect(missingReplyOf(failure)).toBe('incomplete')
  })

  test('the same error, answered by an instance, is not that of a lost answer', async () => {
    await serveCourses(async function* () {
      throw new ServiceError('unavailable', 'The kitchen is closed.')
    })
    const failure: unknown = await courses(1)
      .next()
      .catch((error) => error)
    expect(failure).toMatchObject({ code: 'unavailable' })
    expect(missingReplyOf(failure)).toBeUndefined()
  })

  test('a chunk that breaks the contract is an error', async () => {
    await serveFrames([encodeChunk(0, { course: 'first' })])
    await expect(courses(1).next()).rejects.toMatchObject({ code: 'internal_error' })
  })

  test('stopping lets streams that run finish', async () => {
    const begun = signalled()
    const go = signalled()
    const served = await serveCourses(async function* () {
      yield { course: 0 }
      begun.resolve()
      await go.promise
      yield { course: 1 }
    })
    const stream = courses(2)
    await stream.next()
    await begun.promise
    const stopped = served.stop()
    go.resolve()
    const rest: unknown[] = []
    for await (const chunk of stream) rest.push(chunk)
    expect(rest).toEqual([{ course: 1 }])
    await stopped
  })

  test('two hundred streams at once do not mix', async () => {
    await serveCourses(async function* ({ count }) {
      for (let i = 0; i < 20; i++) {
        await new Promise(setImmediate)
        yield { course: count * 100 + i }
      }
    })
    const read = async (id: number) => {
      const got: number[] = []
      for await (const { course } of courses(id)) got.push(course)
      expect(got).toEqual(Array.from({ length: 20 }, (_, i) => id * 100 + i))
    }
    await Promise.all(Array.from({ length: 200 }, (_, id) => read(id)))
  })

  test('an undeclared error in the middle tells the caller nothing of the inside', async () => {
    await serveCourses(async function* () {
      yield { course: 0 }
      throw new Error('password is hunter2')
    })
    const stream = courses(2)
    await stream.next()
    const failure = (await stream.next().catch((error: unknown) => error)) as ServiceError
    expect(failure).toMatchObject({ code: 'internal_error' })
    expect(failure.message).not.toContain('hunter2')
  })
})
