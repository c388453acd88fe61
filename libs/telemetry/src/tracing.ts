import { AsyncLocalStorage } from 'node:async_hooks'

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** A unit of work in a sampled trace. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  /** The value of the `traceparent` header for calls that belong to this work. */
  readonly traceparent: string
  setAttribute(name: string, value: string | number | boolean): void
  /** Runs `work` with this span as the current one: of its calls, its promises and its timers, until the span ends. */
  run<Result>(work: () => Result): Result
  /** With an error the span is marked as failed. Later calls have no effect. */
  end(error?: unknown): void
  hasEnded(): boolean
}

export interface SpanOptions {
  /** A `traceparent` header: the standard samplers keep its decision. A malformed one counts as none. */
  readonly parent?: string | undefined
  /** The `traceparent` header of another trace that caused this one. */
  readonly link?: string | undefined
  readonly attributes?: SpanAttributes
}

/** Records spans and exports them. */
export interface Tracing {
  /** Undefined when the trace is not sampled; the caller then records nothing. */
  startSpan(name: string, kind: 'server' | 'internal', options?: SpanOptions): Span | undefined
  /**
   * Starts a span of work that another program does for the current span, or for `parent` where there is no current one.
   * Undefined without either: such a call begins no trace.
   */
  startCall(name: string, options?: Pick<SpanOptions, 'attributes' | 'parent'>): Span | undefined
  /** Exports the spans that have ended. Resolves after at most two seconds. */
  close(): Promise<void>
}

/** Never samples. */
export const noTracing: Tracing = {
  startSpan: () => undefined,
  startCall: () => undefined,
  close: () => Promise.resolve(),
}

/** It has no cost until the first span runs work. */
const spans = new AsyncLocalStorage<Span>()

export const runWithin = <Result>(span: Span, work: () => Result): Result => spans.run(span, work)

/** The span whose work is being done; undefined outside of sampled traces, and for work that continues after its span. */
export const currentSpan = (): Span | undefined => {
  const span = spans.getStore()
  return span === undefined || span.hasEnded() ? undefined : span
}
