import type { OtlpProtocol } from '@parlance/telemetry'
import { z } from 'zod'
import { urlWith } from './environment.js'
import { natsAddressExample, natsEnvironmentSchema } from './nats/index.js'
import type { Need, Service } from './service.js'

const examples = {
  NATS_URL: natsAddressExample,
  REDIS_URL: 'redis://127.0.0.1:6379',
  DATABASE_URL: 'postgres://user:password@127.0.0.1:5432/parlance',
} as const

export const logLevelSchema = z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info')

const otlpProtocol = z.enum(['grpc', 'http/protobuf', 'http/json'])

/** Variables that every process reads. Without an address the process uses an embedded counterpart. */
export const platformEnvironmentSchema = z.object({
  ...natsEnvironmentSchema.shape,
  REDIS_URL: urlWith(['redis', 'rediss'], examples.REDIS_URL),
  DATABASE_URL: urlWith(['postgres', 'postgresql'], examples.DATABASE_URL),
  PARLANCE_DATA: z.string().default('.parlance').describe('the folder for data of the embedded stores'),
  STARTUP_WAIT_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(3_600_000)
    .default(0)
    .describe('how much longer the start waits for NATS, Redis and Postgres that cannot be reached yet, in ms'),
  LOG_LEVEL: logLevelSchema.describe('the least level that is logged'),
  HOST: z.string().optional().describe('the address to listen on, such as 127.0.0.1; all there are when left out'),
  HEALTH_PORT: z.coerce
    .number()
    .int()
    .min(1)
    .max(65535)
    .optional()
    .describe('a port for /healthz, /readyz and /metrics, from 1 to 65535'),
  OTEL_SDK_DISABLED: z.string().optional().describe('true turns traces, and metrics and logs by OTLP, off'),
  OTEL_SERVICE_NAME: z
    .string()
    .optional()
    .describe('the name in telemetry; parlance- and the name of the service when left out'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional().describe("a collector's address such as http://127.0.0.1:4318"),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url().optional().describe('an address such as http://127.0.0.1:4318/v1/traces'),
  OTEL_TRACES_EXPORTER: z.string().optional().describe('the exporter of traces, such as otlp, console or none'),
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .optional()
    .describe('parentbased_traceidratio, with the share to sample in OTEL_TRACES_SAMPLER_ARG'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('the share of traces to sample, from 0 to 1'),
  OTEL_EXPORTER_OTLP_PROTOCOL: otlpProtocol.default('http/protobuf').describe('the protocol of a collector'),
  OTEL_METRICS_EXPORTER: z
    .enum(['otlp', 'none', 'prometheus'])
    .optional()
    .describe('otlp, so that metrics are also sent to the collector; /metrics has them in any case'),
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: otlpProtocol
    .optional()
    .describe('the protocol of metrics; that of OTEL_EXPORTER_OTLP_PROTOCOL when left out'),
  OTEL_METRIC_EXPORT_INTERVAL: z.coerce
    .number()
    .int()
    .min(100)
    .default(60_000)
    .describe('how often metrics are sent, in ms'),
  OTEL_LOGS_EXPORTER: z
    .enum(['otlp', 'console', 'none'])
    .optional()
    .describe('otlp, so that the lines of the log are also sent to the collector'),
})

export type PlatformEnvironment = z.output<typeof platformEnvironmentSchema>

const variableOf = {
  bus: 'NATS_URL',
  ttl: 'REDIS_URL',
  database: 'DATABASE_URL',
} as const satisfies Record<Need, keyof PlatformEnvironment>

/**
 * The missing addresses of a service that runs alone, one line for each. With embedded stores of its own it would start, but no
 * other service could reach it.
 */
export const missingAddresses = (services: readonly Service[], environment: Readonly<Record<string, unknown>>) => {
  const [alone, ...others] = services
  if (alone === undefined || others.length > 0) return []
  return alone.needs
    .map((need) => variableOf[need])
    .filter((variable) => !environment[variable])
    .map(
      (variable) =>
        `${variable} is not set. ${alone.name} runs alone and shares it with the other services. ` +
        `Set it to an address such as ${examples[variable]}.`,
    )
}

/** Which signals OpenTelemetry's SDK sends. */
export interface TelemetrySettings {
  /** `ratio` is undefined where the SDK reads the sampler itself; it ignores a share without the name of a sampler. */
  readonly traces?: { readonly ratio: number | undefined }
  readonly metrics?: { readonly protocol: OtlpProtocol; readonly intervalMs: number }
  readonly logs?: true
}

/** Undefined when no variable names an exporter of traces or its address, or another one turns them off. */
const tracesSettings = (environment: PlatformEnvironment): TelemetrySettings['traces'] => {
  const { OTEL_TRACES_EXPORTER: exporter, OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: share } = environment
  const hasExporter =
    environment.OTEL_EXPORTER_OTLP_ENDPOINT ?? environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? exporter
  const samplesNothing = share === 0 || sampler === 'always_off'
  if (hasExporter === undefined || exporter === 'none' || samplesNothing) return undefined
  return { ratio: sampler === undefined ? share : undefined }
}

/**
 * Undefined when nothing is sent. Metrics and logs are sent only when a variable enables them: many collectors accept only
 * traces.
 */
export const telemetrySettings = (environment: PlatformEnvironment): TelemetrySettings | undefined => {
  if (environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined
  const traces = tracesSettings(environment)
  const sendsMetrics = environment.OTEL_METRICS_EXPORTER === 'otlp'
  const sendsLogs = environment.OTEL_LOGS_EXPORTER !== undefined && environment.OTEL_LOGS_EXPORTER !== 'none'
  if (traces === undefined && !sendsMetrics && !sendsLogs) return undefined
  const protocol = environment.OTEL_EXPORTER_OTLP_METRICS_PROTOCOL ?? environment.OTEL_EXPORTER_OTLP_PROTOCOL
  return {
    ...(traces && { traces }),
    ...(sendsMetrics && { metrics: { protocol, intervalMs: environment.OTEL_METRIC_EXPORT_INTERVAL } }),
    ...(sendsLogs && { logs: true }),
  }
}
