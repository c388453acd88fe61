import { randomUUID } from 'node:crypto'
import type { MemoryEntries, TtlStore } from '@parlance/store'
import { createStreamSlots, reportOpen, type StreamSlots } from '../src/stream/stream-slots.js'
import { describeSharedStores } from './shared-stores.js'

describeSharedStores('the streams of a workspace', (open) => {
  let replicas: StreamSlots[] = []
  const startTwo = async () => {
    replicas = await Promise.all(
      ['one', 'two'].map(async (instanceId) => createStreamSlots({ ttl: await open(), instanceId })),
    )
    return replicas as [StreamSlots, StreamSlots]
  }
  afterEach(async () => {
    for (const replica of replicas.splice(0)) await replica.stop()
  })
  /** A slot whose limit is known when it is taken. */
  const take = async (replica: StreamSlots, id: string, limit: number): Promise<() => void> => {
    const slot = await replica.take(id)
    try {
      slot.check(limit)
      return slot.release
    } catch (error) {
      slot.release()
      throw error
    }
  }
  const outcomes = async (takes: Promise<() => void>[]) => {
    const settled = await Promise.allSettled(takes)
    const slots = settled.flatMap((take) => (take.status === 'fulfilled' ? [take.value] : []))
    const codes = settled.flatMap((take) => (take.status === 'rejected' ? [take.reason.code] : []))
    return { slots, codes }
  }
  /** The count reaches the store a moment after a slot is released. */
  const eventually = async (take: () => Promise<() => void>): Promise<() => void> => {
    for (;;) {
      const { slots } = await outcomes([take()])
      if (slots[0] !== undefined) return slots[0]
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  test('are as many as its limit over all replicas, and no more until one has ended', async () => {
    const two = await startTwo()
    const id = randomUUID()
    const { slots, codes } = await outcomes(Array.from({ length: 30 }, (_, n) => take(two[n % 2]!, id, 5)))
    expect(slots).toHaveLength(5)
    expect(new Set(codes)).toEqual(new Set(['concurrency_limited']))
    slots[0]!()
    await eventually(() => take(two[0], id, 5))
    expect((await outcomes([take(two[1], id, 5)])).codes).toEqual(['concurrency_limited'])
  })

  test('do not affect those of other workspaces, and are unlimited when the limit is 0', async () => {
    const [replica] = await startTwo()
    const [full, other] = [randomUUID(), randomUUID()]
    await take(replica, full, 1)
    expect((await outcomes([take(replica, other, 1), take(replica, full, 1)])).slots).toHaveLength(1)
    expect((await outcomes(Array.from({ length: 200 }, () => take(replica, full, 0)))).slots).toHaveLength(200)
  })

  test('end once, however often their slot is released', async () => {
    const [one, two] = await startTwo()
    const id = randomUUID()
    const [first] = [await take(one, id, 2), await take(one, id, 2)]
    first()
    first()
    await eventually(() => take(two, id, 2))
    expect((await outcomes([take(two, id, 2)])).codes).toEqual(['concurrency_limited'])
  })

  test('end with their replica', async () => {
    const [one, two] = await startTwo()
    const id = randomUUID()
    await take(one, id, 1)
    await one.stop()
    expect((await outcomes([take(two, id, 1)])).slots).toHaveLength(1)
  })

  test('of a killed replica count until its count expires', async () => {
    const [replica] = await startTwo()
    const id = randomUUID()
    const store = await open()
    expect(await store.run(reportOpen, [`streams:{${id}}`], ['killed', '1', '2000'])).toBe(1)
    expect((await outcomes([take(replica, id, 1)])).codes).toEqual(['concurrency_limited'])
    await eventually(() => take(replica, id, 1))
  })
})

test('streams are not refused while the store cannot be reached', async () => {
  const ttl: Pick<TtlStore, 'run'> = { run: () => Promise.reject(new Error('no store')) }
  const slots = createStreamSlots({ ttl, instanceId: 'one' })
  const id = randomUUID()
  for (let n = 0; n < 3; n++) (await slots.take(id)).check(1)
  await slots.stop()
})

test('the count of a live replica stays valid over many renewals, and counts once', () => {
  const kept = new Map<string, unknown>()
  let now = 0
  const entries: MemoryEntries = {
    get: (key) => kept.get(key),
    set: (key, value) => kept.set(key, value),
    delete: (key) => kept.delete(key),
    nowMs: () => now,
  }
  const report = (replica: string, open: number) =>
    reportOpen.inMemory(entries, ['key'], [replica, String(open), '15000'])
  for (; now < 60_000; now += 5_000) {
    expect(report('one', 3)).toBe(now === 0 ? 3 : 4)
    expect(report('two', 1)).toBe(4)
  }
  now += 15_000
  expect(report('two', 4)).toBe(4)
})
