import { noTracing, type Tracing } from './tracing.js'

export interface TracingOptions {
  readonly serviceName: string
  readonly instanceId: string
  /** Share of the traces begun here that are sampled, from 0 to 1. Undefined: `OTEL_TRACES_SAMPLER` decides. */
  readonly ratio?: number | undefined
  /** Called when spans cannot be sent, with a message for the log. */
  readonly onProblem?: (message: string) => void
}

/**
 * Tracing as the standard `OTEL_*` variables of this process configure it. Without options there is none, and
 * OpenTelemetry's SDK is not loaded. A process has at most one that is open.
 */
export const openTracing = async (options: TracingOptions | undefined): Promise<Tracing> => {
  if (options === undefined) return noTracing
  const { createOtelTracing } = await import('./otel-tracing.js')
  return createOtelTracing(options)
}
