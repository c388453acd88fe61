import type { ErrorCode } from '@parlance/contracts'

/** Where the bus reports to. Each part is optional; `@parlance/telemetry` implements them. */
export interface BusTelemetry {
  logger?: { error(fields: object, message: string): void }
  metrics?: {
    /** A call this process answered; `seconds` is the handler's own time. */
    busCall(service: string, method: string, code: ErrorCode | 'ok', seconds: number): void
  }
  tracing?: {
    startSpan(name: string, kind: 'server' | 'client', parent?: string): BusSpan | undefined
  }
}

interface BusSpan {
  readonly traceparent: string
  end(error?: unknown): void
}
