import { createFairSemaphore, type FairSemaphore } from '../src/index.js'

const settled = () => new Promise(setImmediate)

/** Asks for permits, notes who gets one, and releases the permits in the order in which they were granted. */
const createScene = (semaphore: FairSemaphore) => {
  const granted: string[] = []
  const held: (() => void)[] = []
  const ask = (party: string, count: number) => {
    for (let request = 0; request < count; request++) {
      void semaphore.acquire(party).then((release) => {
        granted.push(party)
        held.push(release)
      })
    }
  }
  const releaseFirst = async () => {
    held.shift()!()
    await settled()
  }
  return { granted, held, ask, releaseFirst }
}

test('a party with twenty requests makes another wait for one of them, not for all', async () => {
  const { granted, held, ask, releaseFirst } = createScene(createFairSemaphore(1))
  ask('many', 20)
  await settled()
  ask('few', 2)
  while (held.length > 0) await releaseFirst()
  expect(granted.slice(0, 5)).toEqual(['many', 'few', 'many', 'few', 'many'])
  expect(granted).toHaveLength(22)
})

test('with several permits, a party that holds fewer comes first', async () => {
  const { granted, ask, releaseFirst } = createScene(createFairSemaphore(3))
  ask('a', 6)
  await settled()
  ask('b', 3)
  ask('c', 1)
  expect(granted).toEqual(['a', 'a', 'a'])
  await releaseFirst()
  await releaseFirst()
  await releaseFirst()
  expect(granted.slice(3)).toEqual(['b', 'c', 'a'])
})

test('a request that is aborted gets no permit and holds up no other', async () => {
  const semaphore = createFairSemaphore(1)
  const release = await semaphore.acquire('a')
  const abort = new AbortController()
  const aborted = semaphore.acquire('b', abort.signal)
  const next = semaphore.acquire('c')
  expect([semaphore.waiting(), semaphore.waiting('b'), semaphore.waiting('nobody')]).toEqual([2, 1, 0])
  abort.abort(new Error('not needed'))
  await expect(aborted).rejects.toThrow('not needed')
  await expect(semaphore.acquire('b', abort.signal)).rejects.toThrow('not needed')
  release()
  release()
  expect(await next).toBeInstanceOf(Function)
  expect(semaphore.waiting()).toBe(0)
  const waiting = semaphore.acquire('d')
  await settled()
  expect(semaphore.waiting('d')).toBe(1)
  const nextRelease = await next
  nextRelease()
  expect(await waiting).toBeInstanceOf(Function)
})

test('a party holds at most its own limit, and the permits that are free go to others', async () => {
  const semaphore = createFairSemaphore(3, 1)
  const release = await semaphore.acquire('a')
  let isSecond = false
  const second = semaphore.acquire('a').then((releaseSecond) => {
    isSecond = true
    return releaseSecond
  })
  await semaphore.acquire('b')
  expect([isSecond, semaphore.waiting('a')]).toEqual([false, 1])
  release()
  await second
  expect(semaphore.waiting()).toBe(0)
})
