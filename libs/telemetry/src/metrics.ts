import { collectDefaultMetrics, type PrometheusContentType, Registry } from 'prom-client'
import { collectEventLoopDelay } from './event-loop-delay.js'
import { type CreditMetrics, createCreditMetrics } from './metrics/credit-metrics.js'
import { createModelMetrics, type ModelMetrics } from './metrics/model-metrics.js'
import { createRequestMetrics, type RequestMetrics } from './metrics/request-metrics.js'
import { createSessionMetrics, type SessionMetrics } from './metrics/session-metrics.js'
import {
  createEngineMetrics,
  createSpeechCacheMetrics,
  createSpeechMetrics,
  type EngineMetrics,
  type SpeechCacheMetrics,
  type SpeechMetrics,
} from './metrics/speech-metrics.js'
import { createStoreMetrics, type StoreMetrics } from './metrics/store-metrics.js'
import { createStreamMetrics, type StreamMetrics } from './metrics/stream-metrics.js'
import { createWebhookMetrics, type WebhookMetrics } from './metrics/webhook-metrics.js'

/** Every metric of Parlance. Its name and labels are in the file of its group. */
export interface Metrics
  extends RequestMetrics,
    SpeechMetrics,
    SpeechCacheMetrics,
    EngineMetrics,
    StreamMetrics,
    SessionMetrics,
    ModelMetrics,
    CreditMetrics,
    StoreMetrics,
    WebhookMetrics {
  readonly registry: Registry
  /** All metrics in Prometheus's text format, or in that of OpenMetrics where they have exemplars. */
  text(): Promise<string>
  readonly contentType: string
}

/** The longest timer there is, in ms: `event-loop-delay.ts` samples the event loop in place of prom-client. */
const never = 2 ** 31 - 1

/**
 * With `ofProcess`, also CPU time, memory, event loop delay and garbage collection of this process. With `exemplars`, times name
 * the trace of their latest value in each bucket.
 */
export const createMetrics = ({ ofProcess = false, exemplars = false } = {}): Metrics => {
  const registry = new Registry()
  if (exemplars) registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE as unknown as PrometheusContentType)
  if (ofProcess) {
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: never })
    collectEventLoopDelay(registry)
  }
  const instruments = { registers: [registry], exemplars }
  return {
    registry,
    text: () => registry.metrics(),
    contentType: registry.contentType,
    ...createRequestMetrics(instruments),
    ...createSpeechMetrics(instruments),
    ...createSpeechCacheMetrics(instruments),
    ...createEngineMetrics(instruments),
    ...createStreamMetrics(instruments),
    ...createSessionMetrics(instruments),
    ...createModelMetrics(instruments),
    ...createCreditMetrics(instruments),
    ...createStoreMetrics(instruments),
    ...createWebhookMetrics(instruments),
  }
}
