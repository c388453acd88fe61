/** Sent with a request from service to service. */
export interface CallContext {
  readonly requestId: string
  /** W3C trace context; present only when this request's trace is sampled. */
  readonly traceparent?: string
}

/** Options of a bidirectional stream, which has no time limit. */
export interface DuplexOptions {
  context?: CallContext
  /** Addresses the instances that serve the contract in this lane of it, see `ServeOptions.lane`. */
  lane?: string
  /** Addresses one instance, by its id, in place of any that is available. */
  instance?: string
}

/** Options of a stream of the server. */
export interface StreamOptions extends DuplexOptions {
  /**
   * How long the reply may take, in ms; for a stream, how long until its first chunk. (A handler of a stream that sends nothing
   * for two seconds counts as lost.) Default 5,000. The handler receives the remaining time.
   */
  deadlineMs?: number
  /** Called before the first chunk is delivered. From then on the request cannot be sent to another instance instead. */
  onBegin?: () => void
}

/** Options of a call. */
export interface CallOptions extends Omit<StreamOptions, 'onBegin'> {
  /** An abort rejects the call at once. (A stream gets its signal when it is started.) */
  signal?: AbortSignal
}

export interface MethodAddress {
  readonly service: string
  readonly method: string
  /** Of the contract. */
  readonly version: string
}
