import { randomUUID } from 'node:crypto'
import type { Database } from '@parlance/store'
import { describeWithPrograms, type TestServer } from '@parlance/testing'
import { type ClaimedDelivery, claimDeliveries } from '../src/deliveries/delivery-repository.js'
import { createRecordEvents } from '../src/record-events.js'
import { addEndpoint, published, startDatabase } from './scene.js'

const leaseMs = 60_000

describeWithPrograms(['postgres'], 'the claim of due deliveries', () => {
  let server: TestServer
  let database: Database
  const start = new Date(Date.now() + 60_000)
  const after = (ms: number) => new Date(start.getTime() + ms)
  const claim = (now: Date, limit = 50, exceptWorkspaces: readonly string[] = []) =>
    claimDeliveries(database, { now, limit, exceptWorkspaces, until: new Date(now.getTime() + leaseMs) })
  const idsOf = (claimed: readonly ClaimedDelivery[]) => claimed.map(({ deliveryId }) => deliveryId).sort()

  beforeAll(async () => {
    ;({ server, database } = await startDatabase())
  })
  beforeEach(() =>
    database.acrossWorkspaces((transaction) => transaction.query('delete from events; delete from endpoints')),
  )
  afterAll(async () => {
    await database.close()
    await server.stop()
  })

  /** Creates deliveries of one workspace that are due at a time. Resolves with the workspace. */
  const makeDue = async (count: number, at: Date): Promise<string> => {
    const workspaceId = await addEndpoint(database, 'https://hooks.example/')
    const record = createRecordEvents({ database, now: () => at })
    const event = { workspace_id: workspaceId, at: start.toISOString(), event: published }
    await record(Array.from({ length: count }, () => ({ ...event, id: randomUUID() })))
    return workspaceId
  }

  test('gives each delivery to one of several processes, and none before it is due', async () => {
    await makeDue(20, start)
    await makeDue(1, after(1))
    const claimed = (await Promise.all([claim(start), claim(start), claim(start)])).flat()
    expect(claimed).toHaveLength(20)
    expect(new Set(idsOf(claimed)).size).toBe(20)
    expect(await claim(start)).toEqual([])
    expect(await claim(after(1))).toHaveLength(1)
  })

  test('gives a delivery to another process when its time is over, and not before', async () => {
    await makeDue(1, start)
    const claimed = await claim(start)
    expect(await claim(after(leaseMs - 1))).toEqual([])
    expect(await claim(after(leaseMs))).toEqual(claimed)
  })

  test('begins with the delivery that is due first, and leaves out the given workspaces', async () => {
    const late = await makeDue(2, start)
    const early = await makeDue(2, after(-1))
    const left = await makeDue(2, after(-2))
    const [first] = await claim(start, 1, [left])
    expect(first!.workspaceId).toBe(early)
    const others = await claim(start, 50, [left])
    expect(others.map(({ workspaceId }) => workspaceId).sort()).toEqual([early, late, late].sort())
  })
})
