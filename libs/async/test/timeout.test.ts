import { getEventListeners } from 'node:events'
import { settlesWithin, withTimeout } from '../src/index.js'

const never = new Promise<never>(() => {})

test('work that settles in time decides the result', async () => {
  await expect(withTimeout(Promise.resolve('done'), 60_000, () => 'late')).resolves.toBe('done')
  await expect(withTimeout(Promise.reject(new Error('broken')), 60_000, () => 'late')).rejects.toThrow('broken')
  await expect(settlesWithin(Promise.resolve(), 60_000)).resolves.toBe(true)
  await expect(settlesWithin(Promise.reject(new Error('broken')), 60_000)).rejects.toThrow('broken')
})

test.each([20, 0, -5])('after a limit of %i ms the result is that of onTimeout', async (limitMs) => {
  await expect(withTimeout(never, limitMs, () => 'late')).resolves.toBe('late')
  await expect(settlesWithin(never, limitMs)).resolves.toBe(false)
  const fail = () => {
    throw new Error('too late')
  }
  await expect(withTimeout(never, limitMs, fail)).rejects.toThrow('too late')
})

test('an abort ends the wait with the reason of the signal', async () => {
  const abort = new AbortController()
  const waiting = withTimeout(never, 60_000, () => 'late', abort.signal)
  abort.abort(new Error('not needed'))
  await expect(waiting).rejects.toThrow('not needed')
  await expect(withTimeout(Promise.resolve('done'), 60_000, () => 'late', abort.signal)).rejects.toThrow('not needed')
  const failing = Promise.reject(new Error('broken'))
  await expect(withTimeout(failing, 60_000, () => 'late', abort.signal)).rejects.toThrow('not needed')
})

test('without a limit the work decides, however long it takes', async () => {
  let finish = (_result: string) => {}
  const work = new Promise<string>((resolve) => {
    finish = resolve
  })
  const waiting = withTimeout(work, Number.POSITIVE_INFINITY, () => 'late')
  await new Promise((resolve) => setTimeout(resolve, 5))
  finish('done')
  await expect(waiting).resolves.toBe('done')
})

test('a signal that outlives the wait has no listener afterwards', async () => {
  const { signal } = new AbortController()
  await withTimeout(Promise.resolve(), 60_000, () => 'late', signal)
  await withTimeout(never, 1, () => 'late', signal)
  await withTimeout(Promise.reject(new Error('broken')), 60_000, () => 'late', signal).catch(() => {})
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
