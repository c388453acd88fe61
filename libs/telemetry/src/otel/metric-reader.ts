import { type Attributes, ValueType } from '@opentelemetry/api'
import { core, metrics, resources } from '@opentelemetry/sdk-node'
import type { MetricObjectWithValues, MetricValue, MetricValueWithName, Registry } from 'prom-client'
import type { OpenTelemetryOptions, OtlpProtocol } from '../open-telemetry.js'

/**
 * Metrics whose meaning, labels and buckets OpenTelemetry's semantic conventions define. Prometheus reads them under names
 * without dots, with the unit at the end; OTLP sends them under the names of the conventions.
 */
const semanticNames: Readonly<Record<string, { readonly name: string; readonly unit: string } | undefined>> = {
  http_server_request_duration_seconds: { name: 'http.server.request.duration', unit: 's' },
  gen_ai_client_operation_duration_seconds: { name: 'gen_ai.client.operation.duration', unit: 's' },
  gen_ai_client_operation_time_to_first_chunk_seconds: {
    name: 'gen_ai.client.operation.time_to_first_chunk',
    unit: 's',
  },
  db_client_operation_duration_seconds: { name: 'db.client.operation.duration', unit: 's' },
  gen_ai_client_token_usage: { name: 'gen_ai.client.token.usage', unit: '{token}' },
}

/** The attribute of each label. */
const semanticAttributes: Readonly<Record<string, string | undefined>> = {
  http_request_method: 'http.request.method',
  http_response_status_code: 'http.response.status_code',
  http_route: 'http.route',
  url_scheme: 'url.scheme',
  error_type: 'error.type',
  db_system_name: 'db.system.name',
  db_namespace: 'db.namespace',
  db_operation_name: 'db.operation.name',
  gen_ai_operation_name: 'gen_ai.operation.name',
  gen_ai_provider_name: 'gen_ai.provider.name',
  gen_ai_request_model: 'gen_ai.request.model',
  gen_ai_token_type: 'gen_ai.token.type',
}

type Metric = MetricObjectWithValues<MetricValue<string>>
type Value = MetricValueWithName<string>

const { AggregationTemporality, DataPointType } = metrics

const unitOf = (name: string): string => (name.endsWith('_seconds') ? 's' : name.endsWith('_bytes') ? 'By' : '1')

const attributesOf = ({ labels }: Value): Attributes =>
  Object.fromEntries(
    Object.entries(labels).flatMap(([label, value]) =>
      label === 'le' || value === undefined || value === '' ? [] : [[semanticAttributes[label] ?? label, value]],
    ),
  )

/** Values of a histogram with the same labels, without `le`. */
const seriesOf = (values: readonly Value[]): readonly Value[][] => {
  const series = new Map<string, Value[]>()
  for (const value of values) {
    const key = JSON.stringify(attributesOf(value))
    series.set(key, [...(series.get(key) ?? []), value])
  }
  return [...series.values()]
}

const histogramOf = (name: string, values: readonly Value[]) => {
  const partOf = (suffix: string) => values.find(({ metricName }) => metricName === `${name}_${suffix}`)?.value ?? 0
  const buckets = values.filter(({ metricName }) => metricName === `${name}_bucket`)
  const boundaries = buckets.map(({ labels }) => Number(labels.le)).filter(Number.isFinite)
  // Buckets of Prometheus are cumulative.
  const counts = buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0))
  return { buckets: { boundaries, counts }, sum: partOf('sum'), count: partOf('count') }
}

/**
 * The metrics of a registry of prom-client as the SDK sends them, under the names of the semantic conventions where there
 * are.
 */
const createMetricProducer = (registry: Pick<Registry, 'getMetricsAsJSON'>): metrics.MetricProducer => {
  const startTime = core.hrTime()

  const convert = ({ name: printedName, help, type, values }: Metric): metrics.MetricData | undefined => {
    const endTime = core.hrTime()
    const name = printedName.replace(/_total$/, '')
    const { name: otelName, unit } = semanticNames[name] ?? { name, unit: unitOf(name) }
    const shared = {
      descriptor: { name: otelName, description: help, unit, valueType: ValueType.DOUBLE },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
    }
    const point = (value: Value) => ({ startTime, endTime, attributes: attributesOf(value) })
    switch (type as unknown as string) {
      case 'histogram':
        return {
          ...shared,
          dataPointType: DataPointType.HISTOGRAM,
          dataPoints: seriesOf(values).map((series) => ({ ...point(series[0]!), value: histogramOf(name, series) })),
        }
      case 'counter':
        return {
          ...shared,
          dataPointType: DataPointType.SUM,
          isMonotonic: true,
          dataPoints: values.map((value) => ({ ...point(value), value: value.value })),
        }
      case 'gauge':
        return {
          ...shared,
          dataPointType: DataPointType.GAUGE,
          dataPoints: values.map((value) => ({ ...point(value), value: value.value })),
        }
      default:
        return undefined
    }
  }

  return {
    async collect() {
      const found = await registry.getMetricsAsJSON()
      return {
        resourceMetrics: {
          resource: resources.emptyResource(),
          scopeMetrics: [{ scope: { name: 'parlance' }, metrics: found.flatMap((metric) => convert(metric) ?? []) }],
        },
        errors: [],
      }
    },
  }
}

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
