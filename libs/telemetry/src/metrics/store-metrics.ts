import { Counter } from 'prom-client'
import { createTracedHistogram, type Instruments } from './instruments.js'

/** Databases, by the semantic conventions for their clients. */
export interface StoreMetrics {
  /** A command was answered, or failed with an error of this class. */
  storeCommand(
    command: { readonly system: string; readonly namespace?: string; readonly operation: string },
    seconds: number,
    errorType: string | undefined,
  ): void
}

/** The connections to what Parlance depends on. */
export interface ConnectionMetrics {
  /** A connection was lost; `component` is `nats` or `redis`. */
  connectionLost(component: string): void
}

/** The buckets of the semantic conventions. */
const commandBucketsSeconds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

export const createStoreMetrics = (instruments: Instruments): StoreMetrics => {
  const commands = createTracedHistogram(instruments, {
    name: 'db_client_operation_duration_seconds',
    help: 'Time of the commands of databases, with their way there and back',
    labelNames: ['db_system_name', 'db_namespace', 'db_operation_name', 'error_type'],
    buckets: commandBucketsSeconds,
  })

  return {
    storeCommand: ({ system, namespace = '', operation }, seconds, errorType = '') =>
      commands.observe(
        { db_system_name: system, db_namespace: namespace, db_operation_name: operation, error_type: errorType },
        seconds,
      ),
  }
}

export const createConnectionMetrics = ({ registers }: Instruments): ConnectionMetrics => {
  const losses = new Counter({
    registers,
    name: 'parlance_connection_losses_total',
    help: 'Connections to NATS and Redis that were lost',
    labelNames: ['component'],
  })
  for (const component of ['nats', 'redis']) losses.labels(component).inc(0)

  return { connectionLost: (component) => losses.labels(component).inc() }
}
