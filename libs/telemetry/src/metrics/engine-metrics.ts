import { Counter } from 'prom-client'
import type { Instruments } from './instruments.js'

/** Failures and refusals of engines. */
export interface EngineMetrics {
  /**
   * An engine is available from now on. Its counters begin at 0: without that, Prometheus would not count their first increment
   * as one.
   */
  engineAdded(engine: string): void
  /** An engine process that ended unexpectedly was replaced. */
  engineRestart(engine: string): void
  /** A request that a worker refused with `capacity_exhausted` or `draining`; most are served by another worker. */
  ttsRefusal(engine: string, code: string): void
  /** An engine could not speak a request, and another one of the same worker was used instead. */
  ttsFallback(from: string, to: string): void
}

export const createEngineMetrics = ({ registers }: Instruments): EngineMetrics => {
  const restarts = new Counter({
    registers,
    name: 'parlance_engine_restarts_total',
    help: 'Engine processes replaced because they ended or hung',
    labelNames: ['engine'],
  })
  const refusals = new Counter({
    registers,
    name: 'parlance_tts_refusals_total',
    help: 'Requests for speech that a worker sent away',
    labelNames: ['engine', 'code'],
  })
  const fallbacks = new Counter({
    registers,
    name: 'parlance_tts_fallback_total',
    help: 'Requests for speech for which another engine was asked, because the first could not speak',
    labelNames: ['from', 'to'],
  })

  return {
    engineAdded(engine) {
      restarts.labels(engine).inc(0)
      for (const code of ['capacity_exhausted', 'draining']) refusals.labels(engine, code).inc(0)
    },
    engineRestart: (engine) => restarts.labels(engine).inc(),
    ttsRefusal: (engine, code) => refusals.labels(engine, code).inc(),
    ttsFallback: (from, to) => fallbacks.labels(from, to).inc(),
  }
}
