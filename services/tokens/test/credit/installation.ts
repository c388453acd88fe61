import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Bus, type Client, connectNatsBus, createClient } from '@parlance/bus'
import { type CreditReserver, createCreditReserver } from '@parlance/clients/credit'
import { creditContract, type ReservationEnd, type ReservationOutcome, tokensContract } from '@parlance/contracts'
import { tokens } from '@parlance/service-tokens'
import { connectRedisTtlStore, openPostgresDatabase, type TtlStore } from '@parlance/store'
import { createLogger, createMetrics, noTracing } from '@parlance/telemetry'
import {
  endProcess,
  startNatsServer,
  startPostgresServer,
  startRedisServer,
  startServiceProcess,
  type TestServer,
} from '@parlance/testing'

type Credit = Client<typeof creditContract>

export interface Gateway {
  readonly bus: Bus
  readonly credit: Credit
  readonly tokens: Client<typeof tokensContract>
  readonly reserver: CreditReserver
  /** Ends one reservation without the reserver. */
  endHold(ending: ReservationEnd): Promise<ReservationOutcome>
  readonly ttl: TtlStore
  /** The outcomes of ended reservations that the ledger sent to this gateway, by reservation id. */
  readonly outcomes: ReadonlyMap<string, readonly ReservationOutcome[]>
  /** Ends like a killed process, without sending anything. */
  vanish(): Promise<void>
}

/** The address of Redis for one process. */
type RedisAddress = Pick<TestServer, 'url'>

type Setting = 'CREDIT_HOLD_SECONDS' | 'CREDIT_LEASE_SECONDS' | 'CREDIT_LEASE_BLOCK' | 'CREDIT_SETTLE_INTERVAL_MS'
type Settings = Partial<Record<Setting, string>>

const logger = createLogger({ name: 'test', level: 'silent' })

/**
 * Starts NATS, Redis and Postgres, except the servers that are given, and starts services and gateways on them on request.
 */
export const startInstallation = async (
  given: Settings = {},
  shared: Partial<Record<'redis' | 'postgres', TestServer>> = {},
) => {
  // Tests end one reservation at a time, so there is nothing to batch.
  const settings = { CREDIT_SETTLE_INTERVAL_MS: '0', ...given }
  const [nats, redis, postgres] = await Promise.all([
    startNatsServer(),
    shared.redis ?? startRedisServer(),
    shared.postgres ?? startPostgresServer(),
  ])
  const own = [nats, redis, postgres].filter((server) => !Object.values(shared).includes(server))
  const stores: TtlStore[] = []
  const failures: string[] = []
  const closers: (() => Promise<unknown>)[] = []

  const connect = async (name: string, at: RedisAddress = redis): Promise<{ bus: Bus; ttl: TtlStore }> => {
    const bus = await connectNatsBus({ url: nats.url, name })
    const ttl = await connectRedisTtlStore({ url: at.url })
    stores.push(ttl)
    closers.push(() => Promise.all([bus.close(), ttl.close()]))
    return { bus, ttl }
  }

  return {
    nats,
    redis,
    postgres,
    /** The errors that processes logged, except those about servers that are down. */
    failures,

    /** Resolves when all connections of this process to Redis are restored. */
    async redisIsBack(): Promise<void> {
      while (!stores.every((ttl) => ttl.connected())) await delay(10)
    },

    /** The service in this process. */
    async startService(at?: RedisAddress): Promise<void> {
      const { bus, ttl } = await connect('tokens', at)
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
        tokens.env.parse(settings),
      )
      closers.push(() => running.stop())
    },

    /** The service in a process of its own. */
    async startProcess(at: RedisAddress = redis): Promise<ChildProcess> {
      const environment = {
        NATS_URL: nats.url,
        REDIS_URL: at.url,
        DATABASE_URL: postgres.url,
        API_KEY_PEPPERS: '1:a-pepper-for-tests-only',
        ...settings,
      }
      const child = await startServiceProcess('tokens', environment, (text) => {
        failures.push(...text.split('\n').filter((line) => line.includes('A handler failed')))
      })
      closers.push(() => endProcess(child))
      return child
    },

    /** A gateway, which reserves and settles credit. */
    async openGateway(at?: RedisAddress): Promise<Gateway> {
      const { bus, ttl } = await connect('gateway', at)
      const client = createClient(bus, creditContract)
      const outcomes = new Map<string, ReservationOutcome[]>()
      const credit: Credit = {
        ...client,
        async resolve(request, options) {
          const answer = await client.resolve(request, options)
          for (const [index, { hold: reservation }] of request.endings.entries()) {
            outcomes.set(reservation.id, [...(outcomes.get(reservation.id) ?? []), answer.outcomes[index]!])
          }
          return answer
        },
      }
      const reserver = createCreditReserver({ ttl, credit, logger, stopWithinMs: 2_000 })
      closers.push(() => reserver.stop())
      return {
        bus,
        credit,
        tokens: createClient(bus, tokensContract),
        reserver,
        ttl,
        outcomes,
        endHold: async (ending) => (await credit.resolve({ endings: [ending] })).outcomes[0]!,
        async vanish() {
          stores.splice(stores.indexOf(ttl), 1)
          await Promise.all([bus.close(), ttl.close()])
          await reserver.stop()
        },
      }
    },

    async stop(): Promise<void> {
      for (const close of closers.reverse()) await close()
      await Promise.all(own.map((server) => server.stop()))
    },
  }
}

export type Installation = Awaited<ReturnType<typeof startInstallation>>
