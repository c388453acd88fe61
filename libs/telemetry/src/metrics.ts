import { collectDefaultMetrics, type PrometheusContentType, Registry } from 'prom-client'
import { collectEventLoopDelay } from './event-loop-delay.js'
import { type CreditMetrics, createCreditMetrics } from './metrics/credit-metrics.js'
import { createModelMetrics, type ModelMetrics } from './metrics/model-metrics.js'
import { type BusMetrics, createBusMetrics, createHttpMetrics, type HttpMetrics } from './metrics/request-metrics.js'
import { createSessionMetrics, type SessionMetrics } from './metrics/session-metrics.js'
import {
  createEngineMetrics,
  createSpeechCacheMetrics,
  createSpeechMetrics,
  type EngineMetrics,
  type SpeechCacheMetrics,
  type SpeechMetrics,
} from './metrics/speech-metrics.js'
import {
  type ConnectionMetrics,
  createConnectionMetrics,
  createStoreMetrics,
  type StoreMetrics,
} from './metrics/store-metrics.js'
import { createStreamMetrics, type StreamMetrics } from './metrics/stream-metrics.js'
import { createWebhookMetrics, type WebhookMetrics } from './metrics/webhook-metrics.js'

/** Every metric of Parlance. Its name and labels are in the file of its group. */
export interface Metrics
  extends HttpMetrics,
    BusMetrics,
    SpeechMetrics,
    SpeechCacheMetrics,
    EngineMetrics,
    StreamMetrics,
    SessionMetrics,
    ModelMetrics,
    CreditMetrics,
    StoreMetrics,
    ConnectionMetrics,
    WebhookMetrics {
  readonly registry: Registry
  /** All metrics in Prometheus's text format, or in that of OpenMetrics where they have exemplars. */
  text(): Promise<string>
  readonly contentType: string
}

/** Families of metrics that a service records together. Every process also has those of its connections. */
export type MetricGroup =
  | 'http'
  | 'bus'
  | 'store'
  | 'streams'
  | 'speech'
  | 'sessions'
  | 'reservations'
  | 'credit'
  | 'webhooks'

export interface MetricsOptions {
  /** The groups that are printed. All when left out. */
  readonly groups?: readonly MetricGroup[]
  /** Also print CPU time, memory, event loop delay and garbage collection of this process. */
  readonly ofProcess?: boolean
  /** Times name the trace of their latest value in each bucket. */
  readonly exemplars?: boolean
}

/** The longest timer there is: `event-loop-delay.ts` samples the event loop in place of prom-client. */
const maxTimerMs = 2 ** 31 - 1

export const createMetrics = ({ groups, ofProcess = false, exemplars = false }: MetricsOptions = {}): Metrics => {
  const registry = new Registry()
  if (exemplars) registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE as unknown as PrometheusContentType)
  if (ofProcess) {
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: maxTimerMs })
    collectEventLoopDelay(registry)
  }
  const printed = { registers: [registry], exemplars }
  const of = (group: MetricGroup) =>
    groups === undefined || groups.includes(group) ? printed : { registers: [], exemplars }
  return {
    registry,
    text: () => registry.metrics(),
    contentType: registry.contentType,
    ...createHttpMetrics(of('http')),
    ...createBusMetrics(of('bus')),
    ...createStoreMetrics(of('store')),
    ...createConnectionMetrics(printed),
    ...createStreamMetrics(of('streams')),
    ...createSpeechMetrics(of('speech')),
    ...createSpeechCacheMetrics(of('speech')),
    ...createEngineMetrics(of('speech')),
    ...createSessionMetrics(of('sessions')),
    ...createModelMetrics(of('sessions')),
    ...createCreditMetrics(of('reservations'), of('credit')),
    ...createWebhookMetrics(of('webhooks')),
  }
}
