import type { ErrorCode } from '@parlance/contracts'

/** Where the bus reports to. Each part is optional; `@parlance/telemetry` implements them. */
export interface BusTelemetry {
  logger?: { error(fields: object, message: string): void }
  metrics?: {
    /** A call this process answered; `seconds` is the handler's own time. */
    busCall(service: string, method: string, code: ErrorCode | 'ok', seconds: number): void
  }
  tracing?: {
    startSpan(name: string, kind: 'server', options: { parent: string }): BusSpan | undefined
  }
}

/** Records the calls over a bus. */
export interface CallTracing {
  /** Undefined for a call that belongs to no sampled trace. `parent` counts where the caller has no span of its own. */
  startCall(
    name: string,
    options: { readonly parent?: string | undefined; readonly attributes: Readonly<Record<string, string>> },
  ): Pick<BusSpan, 'traceparent' | 'end'> | undefined
}

interface BusSpan {
  readonly traceparent: string
  run<Result>(work: () => Result): Result
  end(error?: unknown): void
}
