import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Bus, type Client, connectNatsBus, createClient } from '@parlance/bus'
import { createKeyAuthenticator, type KeyAuthenticator, parsePeppers } from '@parlance/clients/api-key'
import { authContract } from '@parlance/contracts'
import { auth } from '@parlance/service-auth'
import { connectRedisTtlStore, openPostgresDatabase, type TtlStore } from '@parlance/store'
import { createLogger, createMetrics, noTracing } from '@parlance/telemetry'
import { patientClient, startNatsServer, startPostgresServer, startRedisServer } from '@parlance/testing'

export const oldPepper = '1:the-first-pepper-of-all'
export const newPepper = `2:the-second-pepper-of-all,${oldPepper}`

export interface Gateway {
  readonly authenticate: KeyAuthenticator
  readonly auth: Client<typeof authContract>
}

interface Settings {
  peppers?: string
  /** Replaces the connection between a process and Redis. */
  wrap?: (ttl: TtlStore) => TtlStore
}

/** New NATS, Redis and Postgres servers, and any number of replicas of auth and of the gateway's key check. */
export const startInstallation = async () => {
  const [nats, redis, postgres] = await Promise.all([startNatsServer(), startRedisServer(), startPostgresServer()])
  const stores: TtlStore[] = []
  const closers: (() => Promise<unknown>)[] = []

  const connect = async (name: string): Promise<{ bus: Bus; ttl: TtlStore }> => {
    const bus = await connectNatsBus({ url: nats.url, name })
    const ttl = await connectRedisTtlStore({ url: redis.url })
    stores.push(ttl)
    closers.push(() => Promise.all([bus.close(), ttl.close()]))
    return { bus, ttl }
  }

  const openDatabase = () => openPostgresDatabase({ url: postgres.url, ...auth.databases![0]! })

  return {
    nats,
    redis,
    postgres,
    /** The tables of the service, for actions that its methods do not support. The caller must close it. */
    openDatabase,

    /** Resolves when every process has its connection to Redis again. */
    async redisIsBack(): Promise<void> {
      while (!stores.every((ttl) => ttl.connected())) await delay(10)
    },

    async startAuth({ peppers = oldPepper, wrap = (ttl) => ttl }: Settings = {}): Promise<void> {
      const { bus, ttl } = await connect('auth')
      const env = auth.env.parse({ API_KEY_PEPPERS: peppers })
      const running = await auth.start(
        {
          instanceId: randomUUID(),
          bus,
          ttl: wrap(ttl),
          logger: createLogger({ name: 'auth', level: 'silent' }),
          metrics: createMetrics(),
          tracing: noTracing,
          openSharedStore: async () => undefined,
          readSecret: () => '',
          openDatabase: (schema) => openPostgresDatabase({ url: postgres.url, ...schema }),
        },
        env,
      )
      closers.push(() => running.stop())
    },

    async openGateway({ peppers = oldPepper, wrap = (ttl) => ttl }: Settings = {}): Promise<Gateway> {
      const { bus, ttl } = await connect('gateway')
      const client = patientClient(createClient(bus, authContract))
      return {
        auth: client,
        authenticate: createKeyAuthenticator({
          ttl: wrap(ttl),
          auth: client,
          peppers: parsePeppers(peppers),
          environment: 'prd',
        }),
      }
    },

    /** Changes the rows with these ids as if they had been created in this order, a microsecond apart. */
    async makeWithinOneMillisecond(table: 'workspaces' | 'api_keys', ids: readonly string[]): Promise<void> {
      const database = await openDatabase()
      await database.query(
        `update ${table} set created_at = date_trunc('second', now()) + made.position * interval '1 microsecond'
         from unnest($1::uuid[]) with ordinality as made (id, position) where ${table}.id = made.id`,
        [ids],
      )
      await database.close()
    },

    async stop(): Promise<void> {
      for (const close of closers.reverse()) await close()
      await Promise.all([nats.stop(), redis.stop(), postgres.stop()])
    },
  }
}

export type Installation = Awaited<ReturnType<typeof startInstallation>>
