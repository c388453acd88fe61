/** How each end of a stream detects that the other end has stopped. */
interface LivenessLimits {
  /** A frame is sent at least this often. */
  readonly heartbeatIntervalMs: number
  /** The same, once the peer has been silent for `suspectAfterMs`: the bus reports a peer whose process has ended. */
  readonly suspectIntervalMs: number
  readonly suspectAfterMs: number
  /** A peer that is silent for longer counts as lost. */
  readonly silenceLimitMs: number
}

/** Handlers send every 300 ms; after five missed heartbeats the handler's process counts as hung. */
export const callerLiveness: LivenessLimits = {
  heartbeatIntervalMs: 2_000,
  suspectIntervalMs: 500,
  suspectAfterMs: 400,
  silenceLimitMs: 1_500,
}

/** Callers send every two seconds. */
export const handlerLiveness: LivenessLimits = {
  heartbeatIntervalMs: 300,
  suspectIntervalMs: 300,
  suspectAfterMs: 2_500,
  silenceLimitMs: 5_000,
}

/** Called for every sweep of the reply multiplexer, which measures only the silence that this process could have noticed. */
export class Liveness {
  readonly #limits: LivenessLimits
  #silentMs = 0
  #sentAtMs = performance.now()

  constructor(limits: LivenessLimits) {
    this.#limits = limits
  }

  get silentMs(): number {
    return this.#silentMs
  }

  received(): void {
    this.#silentMs = 0
  }

  sent(nowMs = performance.now()): void {
    this.#sentAtMs = nowMs
  }

  /** The next action: the peer counts as `lost`, a `heartbeat` must be sent, or nothing. */
  sweep(nowMs: number, attentiveMs: number): 'lost' | 'heartbeat' | undefined {
    this.#silentMs += attentiveMs
    const { silenceLimitMs, suspectAfterMs, suspectIntervalMs, heartbeatIntervalMs } = this.#limits
    if (this.#silentMs > silenceLimitMs) return 'lost'
    const intervalMs = this.#silentMs > suspectAfterMs ? suspectIntervalMs : heartbeatIntervalMs
    return nowMs - this.#sentAtMs >= intervalMs ? 'heartbeat' : undefined
  }
}
