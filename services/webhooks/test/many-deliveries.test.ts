import { randomUUID } from 'node:crypto'
import type { Database } from '@parlance/store'
import { describeWithPrograms, explainQueries, type TestServer } from '@parlance/testing'
import { listDeliveries } from '../src/deliveries/delivery-list.js'
import { removeOldEvents } from '../src/deliveries/delivery-repository.js'
import { createScene, startDatabase } from './scene.js'

describeWithPrograms(['postgres'], 'many deliveries', () => {
  const [workspaceId, endpointId] = [randomUUID(), randomUUID()]
  let server: TestServer
  let database: Database

  /** Events of 40 days, the newest of today, each with a delivery. Every hundredth delivery has failed. */
  const fill = (count: number) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      await transaction.query(
        `insert into endpoints (workspace_id, id, url, events, description) values ($1, $2, 'https://x', '{}', '')
         on conflict do nothing`,
        [workspaceId, endpointId],
      )
      await transaction.query(
        `with made as (
           insert into events (workspace_id, id, type, body, created_at)
           select $1, gen_random_uuid(), 'agent.published', '{}', now() - n * interval '40 days' / ${count}
           from generate_series(0, ${count - 1}) n returning id, created_at)
         insert into deliveries (workspace_id, endpoint_id, event_id, status, created_at)
         select $1, $2, id, case when row_number() over (order by created_at) % 100 = 0 then 'failed' else 'succeeded' end,
           created_at from made`,
        [workspaceId, endpointId],
      )
    })
  const countOf = async (table: string) =>
    Number(
      (
        await database.acrossWorkspaces((transaction) =>
          transaction.query<{ count: string }>(`select count(*) from ${table}`),
        )
      )[0]!.count,
    )
  const monthAgo = () => new Date(Date.now() - 30 * 24 * 3_600_000)

  beforeAll(async () => {
    ;({ server, database } = await startDatabase())
  })
  afterAll(async () => {
    await database.close()
    await server.stop()
  })

  test('are removed with their events after a month, in any number, and also when their endpoint was deleted', async () => {
    await fill(12_000)
    const statements: number[] = []
    const counting: Database = {
      ...database,
      acrossWorkspaces: (work) =>
        database.acrossWorkspaces(async (transaction) => {
          const rows = await work(transaction)
          statements.push((rows as unknown[]).length)
          return rows
        }),
    }
    expect(await removeOldEvents(counting, monthAgo())).toBe(3_000)
    expect(Math.max(...statements)).toBeLessThanOrEqual(1_000)
    expect([await countOf('events'), await countOf('deliveries')]).toEqual([9_000, 9_000])

    await database.inWorkspace(workspaceId, async (transaction) => {
      await transaction.query(
        `update deliveries set status = 'pending', next_attempt_at = now() where status = 'failed'`,
      )
    })
    expect(await removeOldEvents(database, new Date())).toBe(8_910)
    const scene = await createScene(database)
    await scene.service.deleteWebhook({ workspace_id: workspaceId, webhook_id: endpointId })
    await scene.stop()
    expect(await countOf('deliveries')).toBe(90)
    expect(await removeOldEvents(database, new Date())).toBe(90)
    expect([await countOf('events'), await countOf('deliveries')]).toEqual([0, 0])
  })

  test('are found by their status without reading the others', async () => {
    await fill(20_000)
    await database.query('analyze deliveries, events').catch(() => undefined)
    const plans = await explainQueries(database, (explained) =>
      explained.inWorkspace(workspaceId, (transaction) =>
        listDeliveries(transaction, { workspaceId, endpointId, status: 'failed' }, { limit: 20, order: 'desc' }),
      ),
    )
    expect(plans.join()).toContain('Index Scan Backward using deliveries_by_status on deliveries')
  })
})
