/**
 * Traces over OTLP/HTTP. Loaded only when tracing is on: the modules below cost some 10 MB and 100 ms at start. The
 * choice to sample is made here and before OpenTelemetry sees anything, so a request that is not sampled costs one
 * random number; its spans are written by hand where the work is done, nothing is patched.
 */
import { DiagLogLevel, diag, ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { ServiceError } from '@parlance/contracts'
import type { TracingOptions } from './open-tracing.js'
import { formatTraceparent, parseTraceparent } from './traceparent.js'
import type { Span, Tracing } from './tracing.js'

/** What has not reached the collector by then is lost: a collector that is away must not hold up a shutdown. */
const closeWithinMs = 2000

/** A class of errors, never a message: messages can quote what a user sent. */
const errorType = (error: unknown): string =>
  error instanceof ServiceError ? error.code : error instanceof Error ? error.name : typeof error

export const createOtelTracing = ({ serviceName, instanceId, ratio, url, onProblem }: TracingOptions): Tracing => {
  const report = (message: string) => onProblem?.(message)
  const ignore = () => {}
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes({ 'service.name': serviceName, 'service.instance.id': instanceId })),
    sampler: new AlwaysOnSampler(),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  })
  const tracer = provider.getTracer('parlance')

  return {
    startSpan(name, kind, parent): Span | undefined {
      const from = parent === undefined ? undefined : parseTraceparent(parent)
      if (from === undefined ? Math.random() >= ratio : !from.sampled) return undefined
      const context =
        from === undefined
          ? ROOT_CONTEXT
          : trace.setSpanContext(ROOT_CONTEXT, { ...from, traceFlags: TraceFlags.SAMPLED, isRemote: true })
      const span = tracer.startSpan(name, { kind: kind === 'server' ? SpanKind.SERVER : SpanKind.CLIENT }, context)
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
      const timeUp = new Promise<void>((resolve) => setTimeout(resolve, closeWithinMs).unref())
      await Promise.race([provider.shutdown(), timeUp]).catch((error: unknown) => report(errorType(error)))
    },
  }
}
