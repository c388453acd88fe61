import type { Bus } from '@parlance/bus'
import type { Database, DatabaseSchema, TtlStore } from '@parlance/store'
import type { Logger, MetricGroup, Metrics, Tracing } from '@parlance/telemetry'
import type { z } from 'zod'
import type { ReadSecret } from './secret.js'

/** Whether this process can do its work now, and which of its parts cannot. */
export interface Readiness {
  readonly ready: boolean
  /** `bus`, `ttl`, and each service by its name. */
  readonly checks: Readonly<Record<string, boolean>>
}

/** The dependencies of a service, created only in `platform.ts`. */
export interface Platform {
  /** Unique among the running processes; names this one on the bus. */
  readonly instanceId: string
  readonly bus: Bus
  readonly ttl: TtlStore
  readonly logger: Logger
  readonly metrics: Metrics
  readonly tracing: Tracing
  /**
   * The store that REDIS_URL names, for optional data; undefined when there is none. Its loss does not affect
   * whether a service that does not need it is ready. Rejects with `StartupError` when it cannot be reached.
   */
  openSharedStore(): Promise<TtlStore | undefined>
  /** For secrets that the configuration of a service refers to; secrets that it always needs are in its `env`. */
  readonly readSecret: ReadSecret
  /** Brings the schema up to date with its migrations, then opens a pool on it. */
  openDatabase(schema: DatabaseSchema): Promise<Database>
  /** The readiness of the whole process: false while a service in it starts or stops. `/readyz` on `HEALTH_PORT` reports it. */
  readiness?(): Promise<Readiness>
}

/** Something that a service needs from outside when it runs alone. */
export type Need = 'bus' | 'ttl' | 'database'

/** A service after its start. */
export interface RunningService {
  /** Whether requests will be answered now. */
  ready(): boolean | Promise<boolean>
  /**
   * Accepts no new work and finishes long work. All services of a process begin to drain before the first of them stops, so
   * that long work can still call the others.
   */
  drain?(): Promise<void>
  /** Finishes work in progress, accepts no new work, and releases all resources. Called once, after `drain` has ended. */
  stop(): Promise<void>
}

/** A folder under `services/` is one of these. `env` parses the environment variables it reads. */
export interface Service<Env = unknown> {
  readonly name: string
  readonly needs: readonly Need[]
  /** The metrics that it records. `/metrics` of a process prints those of its services. */
  readonly metrics?: readonly MetricGroup[]
  /** The databases that it opens when it starts, for tools that migrate them beforehand. */
  readonly databases?: readonly DatabaseSchema[]
  readonly env: z.ZodType<Env>
  /** The longest drain time of the service, in ms. The process waits for it and some seconds longer. */
  drainMs?(env: Env): number
  start(platform: Platform, env: Env): Promise<RunningService>
}
