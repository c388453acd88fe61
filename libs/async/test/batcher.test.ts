import { vi } from 'vitest'
import { type BatcherOptions, createBatcher } from '../src/index.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const tick = () => new Promise(setImmediate)
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

/** Results are the squares of the items. */
const openBatcher = (options: Partial<BatcherOptions<number, number>> = {}) => {
  const batches: (readonly number[])[] = []
  const batcher = createBatcher<number, number>({
    maxItems: 100,
    async run(items) {
      batches.push(items)
      return items.map((item) => item * item)
    },
    ...options,
  })
  return { batches, batcher }
}

/** Batches that end when the test calls `endNext`. */
const openBlockedBatcher = (options: Partial<BatcherOptions<number, number>> = {}) => {
  const batches: (readonly number[])[] = []
  const ends: (() => void)[] = []
  const { batcher } = openBatcher({
    async run(items) {
      batches.push(items)
      await new Promise<void>((end) => ends.push(end))
      return items
    },
    ...options,
  })
  return { batches, batcher, endNext: () => ends.shift()?.() }
}

test('items of one tick go in one batch, and each gets its own result', async () => {
  const { batches, batcher } = openBatcher()
  expect(await Promise.all([1, 2, 3].map(batcher.add))).toEqual([1, 4, 9])
  expect(batches).toEqual([[1, 2, 3]])
})

test('a batch never exceeds the maximum of items', async () => {
  const { batches, batcher } = openBatcher({ maxItems: 4 })
  await Promise.all(numbers(10).map(batcher.add))
  expect(batches).toEqual([
    [0, 1, 2, 3],
    [4, 5, 6, 7],
    [8, 9],
  ])
})

test('the first item after a pause waits for nothing, those of the interval for its end', async () => {
  const { batches, batcher } = openBatcher({ intervalMs: 100 })
  await batcher.add(1)
  const later = [batcher.add(2)]
  await vi.advanceTimersByTimeAsync(50)
  await tick()
  later.push(batcher.add(3))
  await vi.advanceTimersByTimeAsync(49)
  await tick()
  expect(batches).toEqual([[1]])
  await vi.advanceTimersByTimeAsync(1)
  await Promise.all(later)
  expect(batches).toEqual([[1], [2, 3]])
  await vi.advanceTimersByTimeAsync(100)
  await tick()
  await batcher.add(4)
  expect(batches).toEqual([[1], [2, 3], [4]])
})

test('many waiting items end the interval', async () => {
  const { batches, batcher } = openBatcher({ intervalMs: 600_000, eagerItems: 32 })
  await batcher.add(0)
  await Promise.all(numbers(32).map(batcher.add))
  expect(batches).toEqual([[0], numbers(32)])
})

test('one batch runs at a time, and the items that come meanwhile go in the next', async () => {
  const { batches, batcher, endNext } = openBlockedBatcher()
  const results = [batcher.add(1)]
  await tick()
  results.push(batcher.add(2))
  await tick()
  results.push(batcher.add(3))
  await tick()
  expect(batches).toEqual([[1]])
  endNext()
  await tick()
  expect(batches).toEqual([[1], [2, 3]])
  endNext()
  expect(await Promise.all(results)).toEqual([1, 2, 3])
})

test('batches run at the same time where they may', async () => {
  const { batches, batcher, endNext } = openBlockedBatcher({ concurrency: 2 })
  const results = [batcher.add(1)]
  await tick()
  results.push(batcher.add(2))
  await tick()
  expect(batches).toEqual([[1], [2]])
  endNext()
  endNext()
  expect(await Promise.all(results)).toEqual([1, 2])
})

test('a batch that fails fails all of its items, and the next one is not affected', async () => {
  const { batcher } = openBatcher({
    async run(items) {
      if (items.includes(2)) throw new Error('two is refused')
      return items
    },
  })
  const outcomes = await Promise.allSettled([1, 2, 3].map(batcher.add))
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(await batcher.add(4)).toBe(4)
})

test('the items of a batch that is split fail independently', async () => {
  const { batcher } = openBatcher({
    async run(items) {
      if (items.includes(2)) throw new Error('two is refused')
      return items
    },
    shouldSplit: (error) => (error as Error).message === 'two is refused',
  })
  const outcomes = await Promise.allSettled([1, 2, 3].map(batcher.add))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('a flush does not wait for the interval, and resolves when nothing is left', async () => {
  const { batches, batcher } = openBatcher({ intervalMs: 600_000, maxItems: 2 })
  await batcher.add(0)
  const results = [1, 2, 3].map(batcher.add)
  await batcher.flush()
  expect(batches).toEqual([[0], [1, 2], [3]])
  expect(await Promise.all(results)).toEqual([1, 4, 9])
  expect(vi.getTimerCount()).toBe(0)
})

test('a flush waits for the batch that is running', async () => {
  const { batcher, endNext } = openBlockedBatcher()
  const result = batcher.add(1)
  await tick()
  let flushed = false
  const flushing = batcher.flush().then(() => {
    flushed = true
  })
  await tick()
  expect(flushed).toBe(false)
  endNext()
  await flushing
  expect(await result).toBe(1)
})
