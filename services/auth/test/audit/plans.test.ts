import { randomUUID } from 'node:crypto'
import { auth } from '@parlance/service-auth'
import { type Database, openPostgresDatabase } from '@parlance/store'
import { describeWithPrograms, explainQueries, startPostgresServer, type TestServer } from '@parlance/testing'
import { createAuditRepository } from '../../src/audit/audit-log.js'

describeWithPrograms(['postgres'], 'an audit log with many entries', () => {
  const workspaceId = randomUUID()
  let server: TestServer
  let database: Database
  beforeAll(async () => {
    server = await startPostgresServer()
    database = await openPostgresDatabase({ url: server.url, ...auth.databases![0]! })
    await database.inWorkspace(workspaceId, (transaction) =>
      transaction.query(
        `insert into audit_log (workspace_id, action, actor_kind, actor_id, details, created_at)
         select $1, case when n % 1000 = 0 then 'api_key.created' else 'person.signed_in' end,
           case when n % 1000 = 1 then 'operator' else 'person' end,
           case when n % 1000 = 1 then null else $2::uuid end, '{}', now() - n * interval '1 minute'
         from generate_series(1, 30000) n`,
        [workspaceId, randomUUID()],
      ),
    )
    await database.query('analyze audit_log').catch(() => undefined)
  })
  afterAll(async () => {
    await database.close()
    await server.stop()
  })

  test.each([
    [{ action: 'api_key.created' as const }, 'audit_log_by_action'],
    [{ actor: randomUUID() }, 'audit_log_by_actor'],
    [{ actor: 'operator' as const }, 'audit_log_of_operators'],
  ])('is filtered by %j with an index, without reading other entries', async (filter, index) => {
    const plans = await explainQueries(database, (explained) =>
      createAuditRepository(explained).list(workspaceId, { limit: 20, ...filter }),
    )
    expect(plans.join()).toContain(`using ${index} on audit_log`)
  })
})
