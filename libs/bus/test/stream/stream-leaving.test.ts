import { streamWindow } from '../../src/stream/stream-window.js'
import { signalled } from '../buses.js'
import { describeCourses } from './courses.js'

describeCourses('a stream that one end leaves', (scene) => {
  const { serveCourses, courses } = scene

  test('leaving the loop stops the handler', async () => {
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

  test('an abort rejects at once with its reason, and aborts a handler that waits for something else', async () => {
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

  test('leaving before the handler has answered aborts it too', async () => {
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

  test('a service that stops finishes the streams in progress', async () => {
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
})
