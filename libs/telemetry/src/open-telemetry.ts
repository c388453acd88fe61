import type { Registry } from 'prom-client'
import type { Logger } from './logger.js'
import { noTracing, type Tracing } from './tracing.js'

/** The protocols of OTLP. */
export type OtlpProtocol = 'grpc' | 'http/json' | 'http/protobuf'

/** What is sent by OpenTelemetry's SDK. A signal that is left out is not sent. */
export interface OpenTelemetryOptions {
  readonly serviceName: string
  readonly instanceId: string
  /** `ratio` is the share of the traces begun here that are sampled, from 0 to 1. Undefined: `OTEL_TRACES_SAMPLER` decides. */
  readonly traces?: { readonly ratio?: number | undefined } | undefined
  readonly metrics?: {
    readonly registry: Pick<Registry, 'getMetricsAsJSON'>
    readonly protocol: OtlpProtocol
    readonly intervalMs: number
  }
  /** Its lines are also sent. */
  readonly logs?: Pick<Logger, 'sendLinesTo'>
  /** Called when something cannot be sent, with a message for the log. */
  readonly onProblem?: (message: string) => void
}

/**
 * Telemetry as the standard `OTEL_*` variables of this process configure it. Without options there is none, and
 * OpenTelemetry's SDK is not loaded. A process has at most one open instance. Closing it sends the remaining data of each
 * signal.
 */
export const openTelemetry = async (options: OpenTelemetryOptions | undefined): Promise<Tracing> => {
  if (options === undefined) return noTracing
  const { startSdk } = await import('./otel/sdk.js')
  return startSdk(options)
}
