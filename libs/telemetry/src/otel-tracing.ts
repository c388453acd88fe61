/**
 * Traces by OpenTelemetry's SDK, which reads the standard `OTEL_*` variables: exporter, protocol, sampler, limits, batches
 * and resource. It is loaded only when tracing is on, because loading it takes time and memory. Spans are started by hand
 * where the work is done; no library is instrumented.
 */
import {
  context,
  DiagLogLevel,
  diag,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { NodeSDK, resources, tracing } from '@opentelemetry/sdk-node'
import { withTimeout } from '@parlance/async'
import { ServiceError } from '@parlance/contracts'
import type { TracingOptions } from './open-tracing.js'
import { formatTraceparent, parseTraceparent } from './traceparent.js'
import type { Span, Tracing } from './tracing.js'

/** Spans that are not exported by then are lost: a collector that does not answer must not delay a shutdown. */
const closeTimeoutMs = 2_000

/** The class of an error, never its message: messages may quote what a user sent. */
const errorType = (error: unknown): string =>
  error instanceof ServiceError ? error.code : error instanceof Error ? error.name : typeof error

const contextOf = (parent: string | undefined) => {
  const remote = parent === undefined ? undefined : parseTraceparent(parent)
  if (remote === undefined) return ROOT_CONTEXT
  const traceFlags = remote.sampled ? TraceFlags.SAMPLED : TraceFlags.NONE
  return trace.setSpanContext(ROOT_CONTEXT, { ...remote, traceFlags, isRemote: true })
}

export const createOtelTracing = ({ serviceName, instanceId, ratio, onProblem }: TracingOptions): Tracing => {
  const report = (message: string) => onProblem?.(message)
  const ignore = () => {}
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  const sampledShare = ratio === undefined ? undefined : new tracing.TraceIdRatioBasedSampler(ratio)
  const sdk = new NodeSDK({
    serviceName,
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes({ 'service.instance.id': instanceId })),
    ...(sampledShare && { sampler: new tracing.ParentBasedSampler({ root: sampledShare }) }),
    // Metrics are served at /metrics, and logs are written to standard output.
    metricReaders: [],
    logRecordProcessors: [],
  })
  sdk.start()
  const tracer = trace.getTracer('parlance')

  return {
    startSpan(name, kind, parent): Span | undefined {
      const span = tracer.startSpan(
        name,
        { kind: kind === 'server' ? SpanKind.SERVER : SpanKind.CLIENT },
        contextOf(parent),
      )
      if (!span.isRecording()) return undefined
      return {
        traceparent: formatTraceparent({ ...span.spanContext(), sampled: true }),
        setAttribute: (attribute, value) => void span.setAttribute(attribute, value),
        end(error) {
          if (error !== undefined) {
            span.setAttribute('error.type', errorType(error))
            span.setStatus({ code: SpanStatusCode.ERROR })
          }
          span.end()
        },
      }
    },
    async close() {
      await withTimeout(sdk.shutdown(), closeTimeoutMs, ignore).catch((error: unknown) => report(errorType(error)))
      trace.disable()
      context.disable()
      propagation.disable()
    },
  }
}
