/** A unit of work in a sampled trace. */
export interface Span {
  /** To be sent on with calls made for this work. */
  readonly traceparent: string
  setAttribute(name: string, value: string | number | boolean): void
  /** With an error the span is marked failed. */
  end(error?: unknown): void
}

export interface Tracing {
  /**
   * Undefined when the trace is not sampled: the caller then does nothing more, which is what makes tracing cheap. With
   * a parent the parent's choice is kept; without one the sampling ratio decides.
   */
  startSpan(name: string, kind: 'server' | 'client', parent?: string): Span | undefined
  close(): Promise<void>
}
