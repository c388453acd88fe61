import {
  type Link,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { core } from '@opentelemetry/sdk-node'
import { ServiceError } from '@parlance/contracts'
import { currentSpan, runWithin, type Span, type SpanOptions, type Tracing } from '../tracing.js'

/** The class of an error, never its message: messages may quote what a user sent. */
const errorType = (error: unknown): string =>
  error instanceof ServiceError ? error.code : error instanceof Error ? error.name : typeof error

const contextOf = (parent: string | undefined) => {
  const remote = parent === undefined ? null : core.parseTraceParent(parent)
  return remote === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true })
}

const linksOf = (link: string | undefined): Link[] => {
  const remote = link === undefined ? undefined : trace.getSpanContext(contextOf(link))
  return remote === undefined ? [] : [{ context: remote }]
}

const kinds = { server: SpanKind.SERVER, internal: SpanKind.INTERNAL, client: SpanKind.CLIENT } as const

const spanOf = (span: OtelSpan): Span => {
  const { traceId, spanId } = span.spanContext()
  const started: Span = {
    traceId,
    spanId,
    traceparent: `00-${traceId}-${spanId}-01`,
    setAttribute: (attribute, value) => void span.setAttribute(attribute, value),
    run: (work) => runWithin(started, work),
    end(error) {
      if (!span.isRecording()) return
      if (error !== undefined) {
        span.setAttribute('error.type', errorType(error))
        span.setStatus({ code: SpanStatusCode.ERROR })
      }
      span.end()
    },
    hasEnded: () => !span.isRecording(),
  }
  return started
}

/** Starts spans by a tracer of OpenTelemetry. */
export const createSpanStarter = (tracer: Tracer): Pick<Tracing, 'startSpan' | 'startCall'> => {
  const start = (name: string, kind: keyof typeof kinds, { parent, link, attributes }: SpanOptions) => {
    const span = tracer.startSpan(
      name,
      { kind: kinds[kind], links: linksOf(link), ...(attributes && { attributes }) },
      contextOf(parent),
    )
    return span.isRecording() ? spanOf(span) : undefined
  }

  return {
    startSpan: (name, kind, options = {}) => start(name, kind, options),
    startCall(name, { parent, attributes } = {}) {
      const caller = currentSpan()?.traceparent ?? parent
      return caller === undefined
        ? undefined
        : start(name, 'client', { parent: caller, ...(attributes && { attributes }) })
    },
  }
}
