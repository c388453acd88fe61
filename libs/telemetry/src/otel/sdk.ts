/**
 * OpenTelemetry's SDK, which reads the standard `OTEL_*` variables: exporters, protocols, sampler, limits, batches and
 * resource. It is loaded only when a signal is sent, because loading it takes time and memory. Spans are started by hand where
 * the work is done; no library is instrumented.
 */
import { context, DiagLogLevel, diag, metrics, propagation, trace } from '@opentelemetry/api'
import { logs } from '@opentelemetry/api-logs'
import { NodeSDK, resources, tracing } from '@opentelemetry/sdk-node'
import { withTimeout } from '@parlance/async'
import type { OpenTelemetryOptions } from '../open-telemetry.js'
import { noTracing, type Tracing } from '../tracing.js'
import { createLineSender } from './log-records.js'
import { openMetricReader } from './metric-reader.js'
import { createSpanStarter } from './spans.js'

/** Data that is not sent by then is lost: a collector that does not answer must not delay a shutdown. */
const closeTimeoutMs = 2_000

const samplerOf = (ratio: number | undefined) =>
  ratio === undefined
    ? {}
    : { sampler: new tracing.ParentBasedSampler({ root: new tracing.TraceIdRatioBasedSampler(ratio) }) }

const ignore = () => {}

export const startSdk = async (options: OpenTelemetryOptions): Promise<Tracing> => {
  const { serviceName, instanceId, onProblem = ignore } = options
  diag.setLogger(
    { error: onProblem, warn: onProblem, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  const sdk = new NodeSDK({
    serviceName,
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes({ 'service.instance.id': instanceId })),
    ...(options.traces === undefined ? { spanProcessors: [] } : samplerOf(options.traces.ratio)),
    metricReaders: options.metrics === undefined ? [] : [await openMetricReader(options.metrics)],
    // Undefined: the variables of logs.
    ...(options.logs === undefined && { logRecordProcessors: [] }),
  })
  sdk.start()
  options.logs?.sendLinesTo(createLineSender(logs.getLogger('parlance')))
  const started = options.traces === undefined ? noTracing : createSpanStarter(trace.getTracer('parlance'))

  return {
    ...started,
    async close() {
      options.logs?.sendLinesTo(undefined)
      await withTimeout(sdk.shutdown(), closeTimeoutMs, ignore).catch((error: unknown) =>
        onProblem(error instanceof Error ? error.name : 'unknown'),
      )
      for (const api of [trace, context, propagation, metrics, logs]) api.disable()
    },
  }
}
