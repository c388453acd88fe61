import type { IncomingHttpHeaders } from 'node:http'
import { json } from 'node:stream/consumers'
import { startLocalServer } from './local-server.js'

type Value = Record<string, unknown>

interface SentAttribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number } & Value
}

/** A span as OTLP sends it in JSON. */
export interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly status: { readonly code?: number }
  readonly attributes: readonly SentAttribute[]
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[]
}

/** A metric as OTLP sends it in JSON: one of `sum`, `gauge` and `histogram`. */
interface SentMetric {
  readonly name: string
  readonly unit: string
  readonly sum?: { readonly dataPoints: readonly Value[]; readonly isMonotonic: boolean }
  readonly gauge?: { readonly dataPoints: readonly Value[] }
  readonly histogram?: { readonly dataPoints: readonly (Value & { readonly attributes: readonly SentAttribute[] })[] }
}

/** A line of a log as OTLP sends it in JSON. */
interface SentLog {
  readonly severityText: string
  readonly body: { readonly stringValue?: string }
  readonly attributes: readonly SentAttribute[]
  readonly traceId?: string
  readonly spanId?: string
}

interface Resource {
  readonly attributes: readonly SentAttribute[]
}

interface Export {
  readonly resourceSpans?: readonly { resource: Resource; scopeSpans: readonly { spans: readonly SentSpan[] }[] }[]
  readonly resourceMetrics?: readonly {
    resource: Resource
    scopeMetrics: readonly { metrics: readonly SentMetric[] }[]
  }[]
  readonly resourceLogs?: readonly { resource: Resource; scopeLogs: readonly { logRecords: readonly SentLog[] }[] }[]
}

/** A collector that keeps what it receives by `http/json`. It accepts other forms, and keeps their headers. */
export const startOtlpReceiver = async () => {
  const exports: Export[] = []
  const headers: IncomingHttpHeaders[] = []
  const { url, close } = await startLocalServer((request, response) => {
    headers.push(request.headers)
    if (request.headers['content-type'] !== 'application/json')
      return void request.resume().on('end', () => response.end())
    void json(request).then((body) => {
      exports.push(body as Export)
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  return {
    /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
    url,
    exports,
    headers,
    spans: () =>
      exports.flatMap(({ resourceSpans = [] }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    metrics: () =>
      exports.flatMap(({ resourceMetrics = [] }) =>
        resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics)),
      ),
    logs: () =>
      exports.flatMap(({ resourceLogs = [] }) =>
        resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords)),
      ),
    resourceAttributes: () =>
      exports.flatMap(({ resourceSpans = [], resourceMetrics = [], resourceLogs = [] }) =>
        [...resourceSpans, ...resourceMetrics, ...resourceLogs].flatMap(({ resource }) => resource.attributes),
      ),
    close,
  }
}

export type OtlpReceiver = Awaited<ReturnType<typeof startOtlpReceiver>>
