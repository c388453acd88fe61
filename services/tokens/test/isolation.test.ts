import { randomUUID } from 'node:crypto'
import { createClient, createInProcessBus } from '@parlance/bus'
import { createCreditReserver, parseCredit } from '@parlance/clients/credit'
import { creditContract, tokensContract } from '@parlance/contracts'
import { tokens } from '@parlance/service-tokens'
import { createMemoryTtlStore, type Database, openPostgresDatabase } from '@parlance/store'
import { createLogger, createMetrics, noTracing } from '@parlance/telemetry'
import {
  describeWithPrograms,
  patientClient,
  startPostgresServer,
  type TestServer,
  weakenDatabases,
} from '@parlance/testing'
import { creditSchema } from '../src/credit/start-credit.js'
import { tokensSchema } from '../src/tokens/start-tokens.js'

/** Matches a filter by workspace that was not removed. Other uses of the column are joins. */
const weakened = weakenDatabases(/\bworkspace_id (= (any|\$)|in\b)/i)

const logger = createLogger({ name: 'test', level: 'silent' })

const openService = async (postgres: TestServer, wrap: (database: Database) => Database) => {
  const bus = createInProcessBus()
  const ttl = createMemoryTtlStore()
  const running = await tokens.start(
    {
      instanceId: randomUUID(),
      bus,
      ttl,
      logger,
      metrics: createMetrics(),
      tracing: noTracing,
      openSharedStore: async () => undefined,
      readSecret: () => '',
      openDatabase: async (schema) => wrap(await openPostgresDatabase({ url: postgres.url, ...schema })),
    },
    tokens.env.parse({}),
  )
  const credit = patientClient(createClient(bus, creditContract))
  const reserver = createCreditReserver({ ttl, credit, logger })
  return {
    credit,
    tokens: patientClient(createClient(bus, tokensContract)),
    async spend(workspaceId: string, amount: string, keyId: string) {
      const amountNano = parseCredit(amount)
      const { reservation } = await reserver.reserve({ workspaceId, amountNano })
      const usage = { kind: 'tts', key_id: keyId, agent_id: null, quantities: { tts_characters: 7 } } as const
      await credit.resolve({ endings: [{ hold: reservation, charge: amount, usage }] })
    },
    async stop() {
      await reserver.stop()
      await running.stop()
      await Promise.all([bus.close(), ttl.close()])
    },
  }
}

describeWithPrograms(['postgres'], 'two workspaces', () => {
  let postgres: TestServer
  beforeAll(async () => {
    postgres = await startPostgresServer()
  })
  afterAll(() => postgres.stop())

  describe.each([
    ['', (database: Database) => database],
    [' by row-level security alone', weakened.byRowsAlone],
  ])('are kept apart%s', (_how, wrap) => {
    test('in their credit, their usage and their reservations', async () => {
      const service = await openService(postgres, wrap)
      const [rich, poor] = [randomUUID(), randomUUID()]
      const [richKey, poorKey] = [randomUUID(), randomUUID()]
      await service.credit.grant({ workspace_id: rich, amount: '100', reference: 'same' })
      await expect(service.credit.requireCredit({ workspace_id: poor })).rejects.toMatchObject({
        code: 'insufficient_credit',
      })
      await expect(service.spend(poor, '1', poorKey)).rejects.toMatchObject({ code: 'insufficient_credit' })
      const granted = await service.credit.grant({ workspace_id: poor, amount: '1', reference: 'same' })
      expect(granted).toMatchObject({ balance: '1.00', replayed: false })
      await service.spend(rich, '40', richKey)
      await service.spend(poor, '0.25', poorKey)
      await expect(service.spend(poor, '1', poorKey)).rejects.toMatchObject({ code: 'insufficient_credit' })

      const balance = async (id: string) => (await service.credit.getBalance({ workspace_id: id })).balance
      expect([await balance(rich), await balance(poor)]).toEqual(['60.00', '0.75'])
      const period = { from: '2000-01-01T00:00:00.000Z', to: '2999-01-01T00:00:00.000Z' }
      for (const [id, key, credit_used] of [
        [rich, richKey, '40.00'],
        [poor, poorKey, '0.25'],
      ] as const) {
        const { usage } = await service.credit.getUsage({ workspace_id: id, ...period, group_by: 'api_key' })
        expect(usage).toMatchObject([{ key, credit_used, operations: 1 }])
      }
      for (const workspace_id of [rich, poor]) {
        const { workspaces } = await service.credit.reconcile({ workspace_id })
        expect(workspaces).toMatchObject([{ workspace_id, ledger_difference: '0.00', counter_difference: '0.00' }])
      }
      await service.stop()
    })
  })

  test('have queries without a filter by workspace in the suite of row-level security', () =>
    expect(weakened.rewritten()).toBeGreaterThan(10))

  test('can neither read nor write rows of each other in any table', async () => {
    const service = await openService(postgres, (database) => database)
    const [here, there] = [randomUUID(), randomUUID()]
    for (const id of [here, there]) {
      await service.credit.grant({ workspace_id: id, amount: '10', reference: 'first' })
      await service.spend(id, '1', randomUUID())
      const { token } = await service.tokens.mintStreamToken({
        workspace_id: id,
        key_id: randomUUID(),
        voice_id: null,
        max_characters: null,
      })
      await service.tokens.consumeStreamToken({ token })
    }
    await service.stop()

    const [credit, used] = await Promise.all(
      [creditSchema, tokensSchema].map((schema) => openPostgresDatabase({ url: postgres.url, ...schema })),
    )
    const tables = [
      ...['accounts', 'leases', 'holds', 'transfers'].map((table) => [credit!, table] as const),
      [used!, 'consumed_tokens'] as const,
    ]
    for (const [database, table] of tables) {
      expect(await database.query(`select * from ${table}`)).toEqual([])
      const ids = await database.inWorkspace(here, (transaction) =>
        transaction.query<{ workspace_id: string }>(`select distinct workspace_id from ${table}`),
      )
      expect([table, ids]).toEqual([table, [{ workspace_id: here }]])
      const takeOver = database.inWorkspace(here, (transaction) =>
        transaction.query(
          `insert into ${table} select (jsonb_populate_record(own, jsonb_build_object('workspace_id', $1::text))).*
           from ${table} own`,
          [there],
        ),
      )
      await expect(takeOver).rejects.toThrow('row-level security')
    }
    await Promise.all([credit!.close(), used!.close()])
  })
})
