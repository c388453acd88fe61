import { randomUUID } from 'node:crypto'
import { createClient, createInProcessBus } from '@parlance/bus'
import { type CreditReservation, createCreditReserver, parseCredit } from '@parlance/clients/credit'
import { creditContract } from '@parlance/contracts'
import { tokens } from '@parlance/service-tokens'
import { connectRedisTtlStore, createMemoryTtlStore, openPostgresDatabase, type TtlStore } from '@parlance/store'
import { createLogger, createMetrics, noTracing } from '@parlance/telemetry'
import { describeWithPrograms, startPostgresServer, startRedisServer, type TestServer } from '@parlance/testing'

const logger = createLogger({ name: 'test', level: 'silent' })
const usage = { kind: 'tts', key_id: null, agent_id: null, quantities: { tts_characters: 1 } } as const

describeWithPrograms(['redis', 'postgres'], 'the balance', () => {
  let redis: TestServer
  let postgres: TestServer
  beforeAll(async () => {
    ;[redis, postgres] = await Promise.all([startRedisServer(), startPostgresServer()])
  })
  afterAll(() => Promise.all([redis.stop(), postgres.stop()]))

  const stores: [string, () => Promise<TtlStore>][] = [
    ['memory', async () => createMemoryTtlStore()],
    ['Redis', () => connectRedisTtlStore({ url: redis.url })],
  ]

  describe.each(stores)('with counters in %s', (_name, openStore) => {
    let ttl: TtlStore
    let stop: () => Promise<void>
    const bus = createInProcessBus()
    const credit = createClient(bus, creditContract)

    beforeAll(async () => {
      ttl = await openStore()
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
          openDatabase: (schema) => openPostgresDatabase({ url: postgres.url, ...schema }),
        },
        tokens.env.parse({ CREDIT_SETTLE_INTERVAL_MS: '0' }),
      )
      stop = () => running.stop()
    })
    afterAll(async () => {
      await stop()
      await ttl.close()
    })

    test('and the reserved amount are one snapshot: their difference stays the same while all reservations are spent', async () => {
      const workspaceId = randomUUID()
      await credit.grant({ workspace_id: workspaceId, amount: '100', reference: 'first' })
      const reserver = createCreditReserver({ ttl, credit, logger })
      const reservations: CreditReservation[] = []
      for (let n = 0; n < 60; n++) {
        reservations.push(await reserver.reserve({ workspaceId, amountNano: parseCredit('0.5') }))
      }
      const free = parseCredit('70')
      const snapshots: { balance: bigint; reserved: bigint }[] = []
      let settling = true
      const readAll = async () => {
        while (settling) {
          const { balance, reserved } = await credit.getBalance({ workspace_id: workspaceId })
          snapshots.push({ balance: parseCredit(balance), reserved: parseCredit(reserved) })
        }
      }
      const readers = Array.from({ length: 4 }, readAll)
      for (const reservation of reservations) {
        reservation.settle(parseCredit('0.5'), usage)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      await reserver.stop()
      settling = false
      await Promise.all(readers)
      expect(new Set(snapshots.map(({ balance }) => balance)).size).toBeGreaterThan(3)
      expect(snapshots.filter(({ balance, reserved }) => balance - reserved !== free)).toEqual([])
      expect(await credit.getBalance({ workspace_id: workspaceId })).toMatchObject({
        balance: '70.00',
        reserved: '0.00',
      })
    })
  })
})
