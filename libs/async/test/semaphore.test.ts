import { createSemaphore } from '../src/index.js'

const settled = () => new Promise(setImmediate)

test('no more permits are granted than there are, and waiting requests get theirs in order', async () => {
  const semaphore = createSemaphore(2)
  const order: string[] = []
  const acquire = (name: string) =>
    semaphore.acquire().then((release) => {
      order.push(name)
      return release
    })
  const first = acquire('first')
  const second = acquire('second')
  const third = acquire('third')
  const fourth = acquire('fourth')
  await settled()
  expect(order).toEqual(['first', 'second'])
  const releaseSecond = await second
  releaseSecond()
  const releaseThird = await third
  expect(order).toEqual(['first', 'second', 'third'])
  releaseThird()
  expect(await fourth).toBeInstanceOf(Function)
  expect(semaphore.available()).toBe(0)
  const releaseFirst = await first
  releaseFirst()
  expect(semaphore.available()).toBe(1)
})

test('a permit that is released twice is returned once', async () => {
  const semaphore = createSemaphore(1)
  const release = await semaphore.acquire()
  release()
  release()
  expect(semaphore.available()).toBe(1)
})

test('a request that is aborted gets no permit, and the request behind it gets the next one', async () => {
  const semaphore = createSemaphore(1)
  const release = await semaphore.acquire()
  const abort = new AbortController()
  const aborted = semaphore.acquire(abort.signal)
  const next = semaphore.acquire()
  abort.abort(new Error('not needed'))
  await expect(aborted).rejects.toThrow('not needed')
  release()
  expect(await next).toBeInstanceOf(Function)
  await expect(semaphore.acquire(abort.signal)).rejects.toThrow('not needed')
})

test('an abort after the permit was granted changes nothing', async () => {
  const semaphore = createSemaphore(1)
  const abort = new AbortController()
  const release = await semaphore.acquire(abort.signal)
  abort.abort()
  expect(semaphore.available()).toBe(0)
  release()
  expect(semaphore.available()).toBe(1)
})

test('a permit can be requested without waiting', () => {
  const semaphore = createSemaphore(1)
  const release = semaphore.tryAcquire()
  expect(release).toBeInstanceOf(Function)
  expect(semaphore.tryAcquire()).toBeUndefined()
  release?.()
  expect(semaphore.tryAcquire()).toBeInstanceOf(Function)
})
