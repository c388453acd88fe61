import { Counter } from 'prom-client'
import type { Instruments } from './instruments.js'

/** The processes of the engines. */
export interface EngineMetrics {
  /** An engine process that ended unexpectedly was replaced. */
  engineRestart(engine: string): void
}

export const createEngineMetrics = ({ registers }: Instruments): EngineMetrics => {
  const restarts = new Counter({
    registers,
    name: 'parlance_engine_restarts_total',
    help: 'Engine processes replaced because they ended or hung',
    labelNames: ['engine'],
  })

  return {
    engineRestart: (engine) => restarts.labels(engine).inc(),
  }
}
