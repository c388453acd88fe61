import { ServiceError } from '@parlance/contracts'
import { encodeChunk } from '../buses.js'
import { describeCourses } from './courses.js'

describeCourses('a stream that fails', (scene) => {
  const { serveCourses, courses, serveFrames } = scene

  test('an error before the first chunk arrives as its code', async () => {
    await serveCourses(async function* (_, { fail }) {
      fail('capacity_exhausted', 'The kitchen is full.')
    })
    await expect(courses(1).next()).rejects.toMatchObject({
      code: 'capacity_exhausted',
      retryAfterSeconds: undefined,
    })
  })

  test('an error carries the time after which to try again, if the handler gives one, and whether it was logged', async () => {
    const options = { retryAfterSeconds: 30, isReported: true }
    await serveCourses(async function* () {
      throw new ServiceError('capacity_exhausted', 'The kitchen is full.', options)
    })
    await expect(courses(1).next()).rejects.toMatchObject({ code: 'capacity_exhausted', ...options })
  })

  test('an error arrives after the chunks before it', async () => {
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

  test('a chunk that breaks the contract is an error', async () => {
    await serveFrames([encodeChunk(0, { course: 'first' })])
    await expect(courses(1).next()).rejects.toMatchObject({ code: 'internal_error' })
  })

  test('an undeclared error in the middle does not reveal its text to the caller', async () => {
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
