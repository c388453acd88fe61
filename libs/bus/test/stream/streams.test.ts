import fc from 'fast-check'
import { vi } from 'vitest'
import { piecesOf } from '../../src/bus.js'
import { handlerFrame, visitFrames } from '../../src/stream/stream-frame.js'
import { streamWindow } from '../../src/stream/stream-window.js'
import { signalled } from '../buses.js'
import { describeCourses } from './courses.js'

describeCourses('a stream', (scene) => {
  const { serveCourses, courses } = scene

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

  test('more than a window of chunks is sent without a timer or a heartbeat', async () => {
    await serveCourses(async function* ({ count }) {
      for (let course = 0; course < count; course++) yield { course, data: new Uint8Array(streamWindow.bytes / 4) }
    })
    // Batched frames are sent by a timer or with a heartbeat. Neither occurs here.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    try {
      let received = 0
      for await (const { course } of courses(20)) expect(course).toBe(received++)
      expect(received).toBe(20)
    } finally {
      vi.useRealTimers()
    }
  })

  test('any chunks arrive at any pace of the reader', async () => {
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

  /** The frame kinds of each message of the streams that are served from now on. */
  const sentMessages = () => {
    const messages: number[][] = []
    const publish = scene.pair.callee.publish.bind(scene.pair.callee)
    vi.spyOn(scene.pair.callee, 'publish').mockImplementation((subject, data, options) => {
      const kinds: number[] = []
      if (subject.startsWith('_INBOX')) visitFrames(Buffer.concat(piecesOf(data)), (kind) => kinds.push(kind))
      if (kinds.includes(handlerFrame.chunk)) messages.push(kinds)
      publish(subject, data, options)
    })
    return messages
  }

  test('chunks that are produced at once are sent in one message, with the open frame', async () => {
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
    // A busy machine may send some of them separately.
    expect(whole.length).toBeGreaterThan(10)
  })

  test('the first chunk with data is sent before the next one is produced', async () => {
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

  test('the open frame is sent even when the first chunk takes long', async () => {
    const begun = signalled()
    await serveCourses(async function* (_, { signal }) {
      begun.resolve()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      yield { course: 0 }
    })
    const leave = new AbortController()
    const stream = courses(1, { signal: leave.signal }).next()
    stream.catch(() => undefined)
    await begun.promise
    // Longer than a handler may take to open the stream.
    await expect(Promise.race([stream, new Promise((resolve) => setTimeout(resolve, 1_300, 'waits'))])).resolves.toBe(
      'waits',
    )
    leave.abort()
    await expect(stream).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('no request is sent before the first chunk is read', async () => {
    let started = false
    await serveCourses(async function* () {
      started = true
    })
    const stream = courses(1)
    await stream.return?.()
    await scene.pair.callee.flush()
    expect(started).toBe(false)
    await expect(stream.next()).resolves.toEqual({ done: true, value: undefined })
  })

  test('a reader that stops blocks the handler at the window, and the handler continues when reading resumes', async () => {
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
    await scene.pair.callee.flush()
    await scene.pair.caller.flush()
    await scene.pair.callee.flush()
    expect(produced).toBe(streamWindow.chunks + 1)
    atWindow = signalled()
    let read = 1
    for await (const _ of stream) read += 1
    expect(read).toBe(5000)
  })

  test('large chunks fill the window sooner, and the handler continues when reading resumes', async () => {
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
    await scene.pair.callee.flush()
    await scene.pair.caller.flush()
    await scene.pair.callee.flush()
    // The first one was taken: half of the window.
    await first
    expect(produced).toBeLessThanOrEqual(4)
    let read = 1
    for await (const _ of stream) read += 1
    expect(read).toBe(40)
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
})
