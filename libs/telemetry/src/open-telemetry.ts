import type { OpenTelemetryOptions } from './otel/options.js'
import { noTracing, type Tracing } from './tracing.js'

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
