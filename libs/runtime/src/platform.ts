import { randomBytes } from 'node:crypto'
import { join, resolve } from 'node:path'
import { retry } from '@parlance/async'
import { connectNatsBus, createInProcessBus } from '@parlance/bus'
import { ServiceError } from '@parlance/contracts'
import {
  connectRedisTtlStore,
  createMemoryTtlStore,
  createPostgresOutage,
  createPostgresPool,
  type EmbeddedPostgres,
  openEmbeddedPostgres,
  openPostgresDatabase,
  UnreachableError,
} from '@parlance/store'
import { createMetrics, type Logger, type Metrics, type OpenTelemetryOptions, openTelemetry } from '@parlance/telemetry'
import { natsOptions } from './nats/index.js'
import { type PlatformEnvironment, type TelemetrySettings, telemetrySettings } from './platform-environment.js'
import { reasonOf, StartupError, withoutCredentials } from './process/index.js'
import type { Platform, Service } from './service.js'

interface OpenPlatform {
  readonly platform: Omit<Platform, 'readSecret'>
  /** Call when no service runs any more. */
  close(): Promise<void>
}

/** Converts a failure to reach or open something to an error that the operator can fix. */
const explained = async <T>(what: string, advice: string, work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    throw new StartupError([`${what}: ${reasonOf(error)}. ${advice}`], { cause: error })
  }
}

const reachBackoff = { firstMs: 500, maxMs: 5_000 }

/** The telemetry that every adapter reports to. */
type Reporting = Pick<Platform, 'logger' | 'metrics' | 'tracing'>

const isUnreachable = (error: unknown): boolean =>
  error instanceof UnreachableError || (error instanceof ServiceError && error.code === 'unavailable')

/** Calls `open` again until the server can be reached, or until the start has waited for a total of `waitMs`. */
type Reach = <T>(open: () => Promise<T>) => Promise<T>

const createReach = (waitMs: number, logger: Logger, signal: AbortSignal | undefined): Reach => {
  const deadlineMs = performance.now() + waitMs
  const shouldRetry = (err: unknown) => {
    if (!isUnreachable(err)) return false
    logger.warn({ err }, 'A server cannot be reached yet and will be tried again')
    return true
  }
  return (open) => retry(open, { backoff: reachBackoff, deadlineMs, shouldRetry, ...(signal && { signal }) })
}

const reportConnection =
  ({ logger, metrics }: Reporting, component: string) =>
  (connected: boolean, reason?: unknown) => {
    if (connected) return logger.info({ component }, 'The connection is restored')
    metrics.connectionLost(component)
    logger.warn({ component, err: reason }, 'The connection was lost')
  }

const openBus = (
  { NATS_URL: url, ...environment }: PlatformEnvironment,
  name: string,
  reporting: Reporting,
  reach: Reach,
) =>
  url === undefined
    ? createInProcessBus(reporting)
    : explained(
        `No connection to NATS at ${withoutCredentials(url)}`,
        'Start it, or correct NATS_URL.',
        reach(() =>
          connectNatsBus({
            url,
            name,
            ...natsOptions(environment),
            tracing: reporting.tracing,
            onStateChange: reportConnection(reporting, 'nats'),
            onRefused: ({ reason, denied }) => reporting.logger.error({ component: 'nats', ...denied }, reason),
          }),
        ),
      )

const openTtlStore = (url: string | undefined, telemetry: Reporting, reach: Reach) =>
  url === undefined
    ? createMemoryTtlStore()
    : explained(
        `No connection to Redis at ${withoutCredentials(url)}`,
        'Start it, or correct REDIS_URL.',
        reach(() => connectRedisTtlStore({ url, telemetry, onStateChange: reportConnection(telemetry, 'redis') })),
      )

const telemetryOptions = (
  { traces, metrics, logs }: TelemetrySettings,
  process: { serviceName: string; instanceId: string; metrics: Metrics; logger: Logger },
): OpenTelemetryOptions => ({
  serviceName: process.serviceName,
  instanceId: process.instanceId,
  traces,
  ...(metrics && { metrics: { registry: process.metrics.registry, ...metrics } }),
  ...(logs && { logs: process.logger }),
  onProblem: () => process.logger.warn({ component: 'telemetry' }, 'Telemetry could not be sent'),
})

/**
 * Ten for each schema, up to 20. The relay of each outbox holds a connection while it calls another service, which in the same
 * process uses another one of them.
 */
const maxConnections = (services: readonly Service[]): number =>
  Math.min(10 * services.flatMap(({ databases }) => databases ?? []).length, 20)

/** The one place that chooses adapters: an address that is not set means an embedded one. */
export const openPlatform = async (
  services: readonly Service[],
  environment: PlatformEnvironment,
  logger: Logger,
  signal?: AbortSignal,
): Promise<OpenPlatform> => {
  const reach = createReach(environment.STARTUP_WAIT_MS, logger, signal)
  const alone = services.length === 1 ? services[0] : undefined
  const instanceId = randomBytes(8).toString('hex')
  const serviceName = environment.OTEL_SERVICE_NAME ?? (alone ? `parlance-${alone.name}` : 'parlance')
  /** In the order of opening. They are closed in reverse order. */
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const closeAdapter of closers.splice(0).reverse()) {
      await closeAdapter().catch((err: unknown) => logger.error({ err }, 'An adapter did not close'))
    }
    logger.flush()
  }

  const openEmbedded = async (): Promise<EmbeddedPostgres> => {
    const dataFolder = join(resolve(environment.PARLANCE_DATA), 'postgres')
    const postgres = await explained(
      `The embedded database could not be started`,
      'Choose another folder with PARLANCE_DATA, or another Postgres with DATABASE_URL.',
      openEmbeddedPostgres({ dataFolder, logger }),
    )
    closers.push(() => postgres.stop())
    return postgres
  }
  const outage = createPostgresOutage(logger)
  const openServer = async () => {
    const url = environment.DATABASE_URL ?? (await openEmbedded()).url
    const pool = createPostgresPool(url, maxConnections(services))
    closers.push(() => pool.end())
    return { url, pool }
  }
  let server: ReturnType<typeof openServer> | undefined

  try {
    const settings = telemetrySettings(environment)
    const metrics = createMetrics({
      groups: services.flatMap((service) => service.metrics ?? []),
      ofProcess: true,
      exemplars: settings?.traces !== undefined,
    })
    const tracing = await openTelemetry(
      settings && telemetryOptions(settings, { serviceName, instanceId, metrics, logger }),
    )
    closers.push(() => tracing.close())
    const reporting: Reporting = { logger, metrics, tracing }
    const bus = await openBus(environment, `${serviceName} ${instanceId}`, reporting, reach)
    closers.push(() => bus.close())
    const needsTtl = services.some((service) => service.needs.includes('ttl'))
    const ttl = await openTtlStore(needsTtl ? environment.REDIS_URL : undefined, reporting, reach)
    closers.push(() => ttl.close())
    const openAnotherStore = async (url: string) => {
      const store = await openTtlStore(url, reporting, reach)
      closers.push(() => store.close())
      return store
    }

    const platform: OpenPlatform['platform'] = {
      instanceId,
      bus,
      ttl,
      logger,
      metrics,
      tracing,
      async openSharedStore() {
        if (environment.REDIS_URL === undefined) return undefined
        return needsTtl ? ttl : openAnotherStore(environment.REDIS_URL)
      },
      async openDatabase(database) {
        server ??= openServer()
        const { url, pool } = await server
        return explained(
          `The database at ${withoutCredentials(url)} cannot be used for ${database.schema}`,
          'Start it, or correct DATABASE_URL.',
          reach(() => openPostgresDatabase({ ...database, url, pool, logger, telemetry: reporting, outage })),
        )
      },
    }
    return { platform, close }
  } catch (error) {
    await close()
    throw error
  }
}
