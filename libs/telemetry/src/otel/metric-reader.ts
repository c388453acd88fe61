import { metrics } from '@opentelemetry/sdk-node'
import { createMetricProducer } from './metric-producer.js'
import type { OpenTelemetryOptions, OtlpProtocol } from './options.js'

/** Each has its own libraries, of which one is loaded. */
const exporters: Readonly<Record<OtlpProtocol, () => Promise<metrics.PushMetricExporter>>> = {
  grpc: async () => new (await import('@opentelemetry/exporter-metrics-otlp-grpc')).OTLPMetricExporter(),
  'http/json': async () => new (await import('@opentelemetry/exporter-metrics-otlp-http')).OTLPMetricExporter(),
  'http/protobuf': async () => new (await import('@opentelemetry/exporter-metrics-otlp-proto')).OTLPMetricExporter(),
}

/** Sends the metrics of a registry at an interval, and once more when it is closed. */
export const openMetricReader = async ({
  registry,
  protocol,
  intervalMs,
}: NonNullable<OpenTelemetryOptions['metrics']>): Promise<metrics.PeriodicExportingMetricReader> =>
  new metrics.PeriodicExportingMetricReader({
    exporter: await exporters[protocol](),
    exportIntervalMillis: intervalMs,
    exportTimeoutMillis: Math.min(intervalMs, 30_000),
    metricProducers: [createMetricProducer(registry)],
  })
