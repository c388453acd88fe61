import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Bus, type Client, connectNatsBus, createClient } from '@parlance/bus'
import { creditContract, tokensContract } from '@parlance/contracts'
import { type CreditReserver, createCreditReserver } from '@parlance/credit'
import { tokens } from '@parlance/service-tokens'
import { connectRedisTtlStore, openPostgresDatabase, type TtlStore } from '@parlance/store'
import { createLogger, createMetrics, noTracing } from '@parlance/telemetry'
import { startNatsServer, startPostgresServer, startRedisServer, type TestServer } from '@parlance/testing'

export interface Gateway {
  readonly bus: Bus
  readonly credit: Client<typeof creditContract>
  readonly tokens: Client<typeof tokensContract>
  readonly reserver: CreditReserver
  readonly ttl: TtlStore
}

type Settings = Partial<Record<'CREDIT_HOLD_SECONDS' | 'CREDIT_LEASE_SECONDS' | 'CREDIT_LEASE_BLOCK', string>>

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
const logger = createLogger({ name: 'test', level: 'silent' })

/**
 * NATS, Redis and Postgres of its own, but for those that it shares with another, and as many processes on them as a test
 * wants.
 */
export const startInstallation = async (
  settings: Settings = {},
  shared: Partial<Record<'redis' | 'postgres', TestServer>> = {},
) => {
  const [nats, redis, postgres] = await Promise.all([
    startNatsServer(),
    shared.redis ?? startRedisServer(),
    shared.postgres ?? startPostgresServer(),
  ])
  const own = [nats, redis, postgres].filter((server) => !Object.values(shared).includes(server))
  const stores: TtlStore[] = []
  const closers: (() => Promise<unknown>)[] = []

  const connect = async (name: string, at: TestServer = redis): Promise<{ bus: Bus; ttl: TtlStore }> => {
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

    /** Resolves when everything in this process has its connection to Redis again. */
    async redisIsBack(): Promise<void> {
      while (!stores.every((ttl) => ttl.connected())) await delay(10)
    },

    /** The service in this process. */
    async startService(at?: TestServer): Promise<void> {
      const { bus, ttl } = await connect('tokens', at)
      const running = await tokens.start(
        {
          ...{ instanceId: randomUUID(), bus, ttl, logger, metrics: createMetrics(), tracing: noTracing },
          openDatabase: (schema) => openPostgresDatabase({ url: postgres.url, ...schema }),
        },
        tokens.env.parse(settings),
      )
      closers.push(() => running.stop())
    },

    /** The service in a process of its own. */
    async startProcess(): Promise<ChildProcess> {
      const child = spawn(process.execPath, [main], {
        env: {
          ...{ PATH: process.env.PATH, NATS_URL: nats.url, REDIS_URL: redis.url, DATABASE_URL: postgres.url },
          ...{ API_KEY_PEPPERS: '1:a-pepper-for-tests-only', LOG_LEVEL: 'info', ...settings },
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      closers.push(async () => {
        if (child.exitCode !== null || child.signalCode !== null) return
        child.kill('SIGTERM')
        await once(child, 'exit')
      })
      let said = ''
      await new Promise<void>((resolve, reject) => {
        const listen = (text: Buffer) => {
          said = (said + text).slice(-10_000)
          if (said.includes('service started')) resolve()
        }
        child.stdout.on('data', listen)
        child.stderr.on('data', listen)
        child.once('exit', () => reject(new Error(`the service did not start: ${said}`)))
      })
      return child
    },

    /** What works on credit: one process of a gateway. `stop` is the reserver's. */
    async openGateway(at?: TestServer): Promise<Gateway> {
      const { bus, ttl } = await connect('gateway', at)
      const credit = createClient(bus, creditContract)
      const reserver = createCreditReserver({ ttl, credit, logger })
      closers.push(() => reserver.stop())
      return { bus, credit, tokens: createClient(bus, tokensContract), reserver, ttl }
    },

    async stop(): Promise<void> {
      for (const close of closers.reverse()) await close()
      await Promise.all(own.map((server) => server.stop()))
    },
  }
}

export type Installation = Awaited<ReturnType<typeof startInstallation>>
