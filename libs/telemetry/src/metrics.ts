import { collectDefaultMetrics, Registry } from 'prom-client'
import { collectEventLoopDelay } from './event-loop-delay.js'
import { createEngineMetrics, type EngineMetrics } from './metrics/engine-metrics.js'
import { createRequestMetrics, type RequestMetrics } from './metrics/request-metrics.js'
import { createSessionMetrics, type SessionMetrics } from './metrics/session-metrics.js'
import { createSpeechCacheMetrics, type SpeechCacheMetrics } from './metrics/speech-cache-metrics.js'
import { createSpeechMetrics, type SpeechMetrics } from './metrics/speech-metrics.js'
import { createStreamMetrics, type StreamMetrics } from './metrics/stream-metrics.js'

/** Every metric of Parlance. Its name and labels are in the file of its group. */
export interface Metrics
  extends RequestMetrics,
    SpeechMetrics,
    SpeechCacheMetrics,
    EngineMetrics,
    StreamMetrics,
    SessionMetrics {
  readonly registry: Registry
  /** All metrics in Prometheus's text format. */
  text(): Promise<string>
  readonly contentType: string
}

/** The longest timer there is, in ms: `event-loop-delay.ts` samples the event loop in place of prom-client. */
const never = 2 ** 31 - 1

/** With `ofProcess`, also CPU time, memory, event loop delay and garbage collection of this process. */
export const createMetrics = ({ ofProcess = false } = {}): Metrics => {
  const registry = new Registry()
  if (ofProcess) {
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: never })
    collectEventLoopDelay(registry)
  }
  const registers = [registry]
  return {
    registry,
    text: () => registry.metrics(),
    contentType: registry.contentType,
    ...createRequestMetrics(registers),
    ...createSpeechMetrics(registers),
    ...createSpeechCacheMetrics(registers),
    ...createEngineMetrics(registers),
    ...createStreamMetrics(registers),
    ...createSessionMetrics(registers),
  }
}
