import { randomUUID } from 'node:crypto'
import type { MemoryEntries, TtlStore } from '@parlance/store'
import { reportOpen } from '../src/concurrency/report-open.js'
import { createStreamSlots, type StreamSlots } from '../src/concurrency/stream-slots.js'
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
  const outcomes = async (takes: Promise<() => void>[]) => {
    const settled = await Promise.allSettled(takes)
    const slots = settled.flatMap((take) => (take.status === 'fulfilled' ? [take.value] : []))
    const codes = settled.flatMap((take) => (take.status === 'rejected' ? [take.reason.code] : []))
    return { slots, codes }
  }
  /** The figure reaches the store a moment after a slot is given back. */
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
    const { slots, codes } = await outcomes(Array.from({ length: 30 }, (_, n) => two[n % 2]!.take(id, 5)))
    expect(slots).toHaveLength(5)
    expect(new Set(codes)).toEqual(new Set(['concurrency_limited']))
    slots[0]!()
    await eventually(() => two[0].take(id, 5))
    expect((await outcomes([two[1].take(id, 5)])).codes).toEqual(['concurrency_limited'])
  })

  test('do not affect those of other workspaces, and are unlimited when the limit is 0', async () => {
    const [replica] = await startTwo()
    const [full, other] = [randomUUID(), randomUUID()]
    await replica.take(full, 1)
    expect((await outcomes([replica.take(other, 1), replica.take(full, 1)])).slots).toHaveLength(1)
    expect((await outcomes(Array.from({ length: 200 }, () => replica.take(full, 0)))).slots).toHaveLength(200)
  })

  test('end once, however often their slot is released', async () => {
    const [one, two] = await startTwo()
    const id = randomUUID()
    const [first] = [await one.take(id, 2), await one.take(id, 2)]
    first()
    first()
    await eventually(() => two.take(id, 2))
    expect((await outcomes([two.take(id, 2)])).codes).toEqual(['concurrency_limited'])
  })

  test('end with their replica', async () => {
    const [one, two] = await startTwo()
    const id = randomUUID()
    await one.take(id, 1)
    await one.stop()
    expect((await outcomes([two.take(id, 1)])).slots).toHaveLength(1)
  })

  test('of a replica that was killed count no longer than its share lasts', async () => {
    const [replica] = await startTwo()
    const id = randomUUID()
    const store = await open()
    expect(await store.run(reportOpen, [`streams:{${id}}`], ['killed', '1', '1', '150'])).toBe(1)
    expect((await outcomes([replica.take(id, 1)])).codes).toEqual(['concurrency_limited'])
    await eventually(() => replica.take(id, 1))
  })
})

test('streams are not refused while the store cannot be reached', async () => {
  const ttl: Pick<TtlStore, 'run'> = { run: () => Promise.reject(new Error('no store')) }
  const slots = createStreamSlots({ ttl, instanceId: 'one' })
  for (let n = 0; n < 3; n++) await slots.take(randomUUID(), 1)
  await slots.stop()
})

test('the share of a live replica stays valid over many renewals, and counts once', () => {
  const kept = new Map<string, unknown>()
  let now = 0
  const entries: MemoryEntries = {
    get: (key) => kept.get(key),
    set: (key, value) => kept.set(key, value),
    delete: (key) => kept.delete(key),
    nowMs: () => now,
  }
  const report = (replica: string, open: number, limit: number) =>
    reportOpen.inMemory(entries, ['key'], [replica, String(open), String(limit), '15000'])
  for (; now < 60_000; now += 5_000) {
    expect(report('one', 3, 0)).toBe(1)
    expect(report('two', 2, 4)).toBe(0)
    expect(report('two', 1, 4)).toBe(1)
  }
  now += 15_000
  expect(report('two', 4, 4)).toBe(1)
})
