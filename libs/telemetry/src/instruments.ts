import { Histogram, type HistogramConfiguration, type Registry } from 'prom-client'
import { currentSpan } from './tracing.js'

/** Durations of requests and calls. */
export const requestBucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Times until speech begins. */
export const speechBucketsSeconds = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3, 6]

/** Where metrics are registered, and whether they keep exemplars. */
export interface Instruments {
  readonly registers: Registry[]
  /** Whether each bucket of a traced histogram keeps the trace of its latest value. */
  readonly exemplars: boolean
}

type Labels<Name extends string> = Readonly<Record<Name, string>>

interface TracedHistogram<Name extends string> {
  observe(labels: Labels<Name>, value: number): void
}

/** A histogram whose exemplars are the current spans. */
export const createTracedHistogram = <Name extends string>(
  { registers, exemplars }: Instruments,
  configuration: Omit<HistogramConfiguration<Name>, 'registers' | 'enableExemplars'>,
): TracedHistogram<Name> => {
  const histogram = new Histogram<string>({ ...configuration, registers, enableExemplars: exemplars })
  if (!exemplars) return { observe: (labels, value) => histogram.observe(labels, value) }
  return {
    observe(labels, value) {
      const span = currentSpan()
      const exemplarLabels = span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId }
      histogram.observe({ labels, value, exemplarLabels })
    },
  }
}
