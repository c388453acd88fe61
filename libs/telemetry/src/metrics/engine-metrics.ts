import { Counter, type Registry } from 'prom-client'

/** The processes of the engines. */
export interface EngineMetrics {
  /** An engine process that ended unexpectedly was replaced. */
  engineRestart(engine: string): void
}

export const createEngineMetrics = (registers: Registry[]): EngineMetrics => {
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
