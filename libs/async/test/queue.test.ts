import { createQueue, type Queue } from '../src/index.js'

const collect = async <Item>(queue: Queue<Item>): Promise<Item[]> => {
  const items: Item[] = []
  for await (const item of queue) items.push(item)
  return items
}

test('items are taken in the order in which they were pushed, by consumers in the order of their calls', async () => {
  const queue = createQueue<string>()
  queue.push('a')
  const taken = [queue.take(), queue.take(), queue.take()]
  queue.push('b')
  queue.push('c')
  queue.push('d')
  expect(await Promise.all([...taken, queue.take()])).toEqual(['a', 'b', 'c', 'd'])
})

test('a consumer that aborts gets nothing and takes nothing from the next one', async () => {
  const queue = createQueue<string>()
  const abort = new AbortController()
  const aborted = queue.take(abort.signal)
  const next = queue.take()
  abort.abort()
  expect(await aborted).toBeUndefined()
  queue.push('a')
  expect(await next).toBe('a')
  queue.push('b')
  expect(await queue.take(abort.signal)).toBeUndefined()
  expect(await queue.take()).toBe('b')
})

test('an abort after an item was taken changes nothing', async () => {
  const queue = createQueue<string>()
  const abort = new AbortController()
  const taken = queue.take(abort.signal)
  queue.push('a')
  abort.abort()
  expect(await taken).toBe('a')
})

test('an item that was not taken can be removed', async () => {
  const queue = createQueue<string>()
  for (const item of ['a', 'b']) queue.push(item)
  expect(queue.remove('b')).toBe(true)
  expect(queue.remove('b')).toBe(false)
  expect(await queue.take()).toBe('a')
  const next = queue.take()
  queue.push('e')
  expect(await next).toBe('e')
})

test('iteration gives the items that are left, those that come, and then the end', async () => {
  const queue = createQueue<string>()
  queue.push('a')
  const items = collect(queue)
  await new Promise(setImmediate)
  queue.push('b')
  queue.push('c')
  queue.end()
  queue.push('after the end')
  expect(await items).toEqual(['a', 'b', 'c'])
  expect(await queue.take()).toBeUndefined()
})

test('a failure discards what is left and reaches every consumer', async () => {
  const queue = createQueue<string>()
  const waiting = [queue.take(), queue.take()]
  queue.fail(new Error('broken'))
  for (const consumer of waiting) await expect(consumer).rejects.toThrow('broken')
  const filled = createQueue<string>()
  filled.push('a')
  filled.fail(new Error('broken'))
  filled.fail(new Error('the second failure'))
  filled.end()
  await expect(collect(filled)).rejects.toThrow('broken')
  await expect(filled.take()).rejects.toThrow('broken')
})
