import { randomUUID } from 'node:crypto'
import { createUnconnectedStarts, maxUnconnectedStartsPerMinute } from '@parlance/clients/session-registry'
import { connectRedisTtlStore, createMemoryTtlStore, type TtlStore } from '@parlance/store'
import { describeWithPrograms, startRedisServer, type TestServer } from '@parlance/testing'

const limitsStarts = (open: () => Promise<TtlStore>): void => {
  let ttl: TtlStore
  beforeAll(async () => {
    ttl = await open()
  })
  afterAll(() => ttl.close())
  const addMany = async (starts: ReturnType<typeof createUnconnectedStarts>, id: string, count: number) => {
    for (let n = 0; n < count; n++) await starts.add(id)
  }

  test('a workspace must wait after thirty starts in a minute that never connected, and other workspaces need not', async () => {
    const [starts, elsewhere] = [createUnconnectedStarts({ ttl }), createUnconnectedStarts({ ttl })]
    const id = randomUUID()
    await addMany(starts, id, maxUnconnectedStartsPerMinute - 2)
    expect(await starts.waitMs(id)).toBe(0)
    await addMany(elsewhere, id, 3)
    const waitMs = await starts.waitMs(id)
    expect(waitMs).toBeGreaterThan(0)
    expect(waitMs).toBeLessThanOrEqual(4_000)
    expect(await starts.waitMs(randomUUID())).toBe(0)
  })

  test('starts that failed at the same time all count, up to another minute', async () => {
    const starts = createUnconnectedStarts({ ttl })
    const id = randomUUID()
    await addMany(starts, id, 4 * maxUnconnectedStartsPerMinute)
    const waitMs = await starts.waitMs(id)
    expect(waitMs).toBeGreaterThan(50_000)
    expect(waitMs).toBeLessThanOrEqual(62_000)
  })

  test('the debt decreases with time', async () => {
    const starts = createUnconnectedStarts({ ttl })
    const id = randomUUID()
    await addMany(starts, id, maxUnconnectedStartsPerMinute)
    const before = await starts.waitMs(id)
    expect(before).toBeGreaterThan(0)
    // A timer may fire 1 ms early.
    await new Promise((resolve) => setTimeout(resolve, before + 1))
    expect(await starts.waitMs(id)).toBe(0)
  })
}

describe('starts that never connected, in memory', () => limitsStarts(async () => createMemoryTtlStore()))

describeWithPrograms(['redis'], 'starts that never connected, in Redis', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startRedisServer()
  })
  afterAll(() => server.stop())
  limitsStarts(() => connectRedisTtlStore({ url: server.url }))
})

test('starts are not counted while the store cannot be reached', async () => {
  const starts = createUnconnectedStarts({ ttl: { run: () => Promise.reject(new Error('no store')) } })
  await starts.add(randomUUID())
  expect(await starts.waitMs(randomUUID())).toBe(0)
})
