import { type Attributes, ValueType } from '@opentelemetry/api'
import { core, metrics, resources } from '@opentelemetry/sdk-node'
import type { MetricObjectWithValues, MetricValue, MetricValueWithName, Registry } from 'prom-client'
import { semanticAttributes, semanticNames } from '../metrics/semantic-names.js'

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
export const createMetricProducer = (registry: Pick<Registry, 'getMetricsAsJSON'>): metrics.MetricProducer => {
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
