import { randomUUID } from 'node:crypto'
import { tokens } from '@parlance/service-tokens'
import { type Database, openPostgresDatabase } from '@parlance/store'
import { describeWithPrograms, explainQueries, startPostgresServer, type TestServer } from '@parlance/testing'
import pg from 'pg'
import { checkAccounts } from '../../src/credit/ledger.js'
import { readUsage } from '../../src/credit/usage-repository.js'

describeWithPrograms(['postgres'], 'a ledger with many rows', () => {
  const workspaceId = randomUUID()
  let server: TestServer
  let database: Database
  beforeAll(async () => {
    server = await startPostgresServer()
    const schema = tokens.databases!.find((one) => one.schema === 'credit')!
    database = await openPostgresDatabase({ url: server.url, ...schema })
    await database.acrossWorkspaces(async (transaction) => {
      const values = [[workspaceId, ...Array.from({ length: 19 }, () => randomUUID())]]
      await transaction.query('insert into accounts (workspace_id) select unnest($1::uuid[])', values)
      await transaction.query('insert into leases (workspace_id, id) select w, w from unnest($1::uuid[]) w', values)
      await transaction.query(
        `insert into holds (workspace_id, id, lease_id, amount, resolution, paid_by_lease, paid_late, uncovered, kind,
           tts_characters, session_seconds, stt_seconds, llm_input_tokens, llm_output_tokens, resolved_at)
         select w, gen_random_uuid(), w, 10, 'settled', 10, 0, 0, 'tts', 10, 0, 0, 0, 0, now() - n * interval '1 minute'
         from generate_series(1, 2000) n, unnest($1::uuid[]) w`,
        values,
      )
      await transaction.query(
        `insert into transfers (workspace_id, event_id, from_account, to_account, amount)
         select w, 'settle:' || n, 'leased', 'spent', 10 from generate_series(1, 2000) n, unnest($1::uuid[]) w`,
        values,
      )
    })
    // Postgres does it by itself on a server that runs.
    const owner = new pg.Client(server.url)
    await owner.connect()
    await owner.query('vacuum analyze')
    await owner.end()
  })
  afterAll(async () => {
    await database.close()
    await server.stop()
  })

  test('sums the usage of a period from an index alone', async () => {
    const period = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }
    for (const groupBy of ['day', 'agent', 'api_key', 'kind'] as const) {
      const plans = await explainQueries(database, (explained) =>
        readUsage(explained, { workspaceId, ...period, groupBy }),
      )
      expect(plans.join()).toContain('Index Only Scan using holds_summed on holds')
    }
  })

  test('is reconciled from indexes alone', async () => {
    const plans = await explainQueries(database, (explained) =>
      explained.acrossWorkspaces((transaction) => checkAccounts(transaction, [workspaceId])),
    )
    expect(plans.join()).toContain('Index Only Scan using holds_summed on holds')
    expect(plans.join()).toContain('Index Only Scan using transfers_summed on transfers')
  })
})
