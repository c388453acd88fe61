/** What travels with a call from hop to hop. */
export interface CallContext {
  readonly requestId: string
  /** W3C trace context; present only when this request's trace is sampled. */
  readonly traceparent?: string
}

export interface StreamOptions {
  context?: CallContext
  /**
   * How long the answer may take, in ms; for a stream, how long until its first chunk (besides, less than two seconds
   * without a sign of life end it at any time). Default 5,000. The handler is told what is left of it.
   */
  deadlineMs?: number
  /** Addresses those who serve the contract in this lane of it, see `ServeOptions.lane`. */
  lane?: string
  /** Addresses one instance instead of whichever is free: its instance id. */
  instance?: string
  /** Called before the first chunk is given: from then on nobody else can be asked instead. */
  onBegin?: () => void
}

export interface CallOptions extends Omit<StreamOptions, 'onBegin'> {
  /** Leaving early frees the caller at once. A stream is given its signal when it is begun. */
  signal?: AbortSignal
}
