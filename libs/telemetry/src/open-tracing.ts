import { noTracing } from './no-tracing.js'
import type { Tracing } from './tracing.js'

export interface TracingOptions {
  serviceName: string
  instanceId: string
  /** Share of the traces begun here that are sampled, from 0 to 1. */
  ratio: number
  /**
   * Where OTLP/HTTP traces are sent, e.g. `http://collector:4318/v1/traces`. Headers, time limit and compression come
   * from the standard `OTEL_EXPORTER_OTLP_*` variables, resource attributes from `OTEL_RESOURCE_ATTRIBUTES`.
   */
  url: string
  /** Told when spans cannot be sent. */
  onProblem?: (message: string) => void
}

/** Tracing as the options say. Without an address, or at ratio 0, OpenTelemetry's SDK is not even loaded. */
export const openTracing = async (options: TracingOptions | undefined): Promise<Tracing> => {
  if (options === undefined || options.ratio <= 0) return noTracing
  const { createOtelTracing } = await import('./otel-tracing.js')
  return createOtelTracing(options)
}
