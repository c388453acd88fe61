/** A unit of work in a sampled trace. */
export interface Span {
  /** The value of the `traceparent` header for calls that belong to this work. */
  readonly traceparent: string
  setAttribute(name: string, value: string | number | boolean): void
  /** With an error the span is marked as failed. */
  end(error?: unknown): void
}

/** Records spans and exports them. */
export interface Tracing {
  /**
   * Undefined when the trace is not sampled; the caller then records nothing. `parent` is a `traceparent` header: the
   * standard samplers keep its decision. A malformed one counts as none.
   */
  startSpan(name: string, kind: 'server' | 'client', parent?: string): Span | undefined
  /** Exports the spans that have ended. Resolves after at most two seconds. */
  close(): Promise<void>
}

/** Never samples. */
export const noTracing: Tracing = {
  startSpan: () => undefined,
  close: () => Promise.resolve(),
}
