import type { Sink } from '@parlance/async/push-stream'
import type { SynthesisChunk } from '@parlance/contracts'

interface OutboundChunksOptions {
  readonly sink: Sink<SynthesisChunk>
  /** The share of the capacity for waiting chunks that a chunk occupies, from 0 to 1. */
  readonly shareOf: (chunk: SynthesisChunk) => number
  /** Called when a chunk that had waited for room was delivered. */
  readonly onDelivered: () => void
  /** Called when the sink has room again and no chunk waits, or when the sink has failed. */
  readonly onRoom: () => void
  /** Called when the sink fails. */
  readonly onFailure: () => void
}

/** Delivers chunks in order, each when the sink has room for it. A failure of the sink drops the chunks that wait. */
export class OutboundChunks {
  readonly #options: OutboundChunksOptions
  readonly #waiting: SynthesisChunk[] = []
  #fullness = 0
  #isWaiting = false
  #failure: { readonly reason: unknown } | undefined
  #playedAtMs = Number.NEGATIVE_INFINITY
  #wakeDrained = () => {}

  constructor(options: OutboundChunksOptions) {
    this.#options = options
  }

  /** The sum of the shares of the chunks that wait. */
  get fullness(): number {
    return this.#fullness
  }

  /** Whether the sink has no room. */
  get isWaiting(): boolean {
    return this.#isWaiting
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined
  }

  /** When the delivered audio will have been played. */
  get playedAtMs(): number {
    return this.#playedAtMs
  }

  /** Throws the error of the sink, if it failed. */
  throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure.reason
  }

  /** Adds chunks. Delivers those for which there is room now. */
  push(...chunks: readonly SynthesisChunk[]): void {
    for (const chunk of chunks) {
      this.#waiting.push(chunk)
      this.#fullness += this.#options.shareOf(chunk)
    }
    try {
      while (!this.#isWaiting && this.#waiting.length > 0) {
        const room = this.#deliverNext()
        if (room !== undefined) void this.#deliverWhenReady(room)
      }
    } catch (reason) {
      this.#fail(reason)
    }
  }

  /** Resolves when all chunks were delivered. Rejects with the error of the sink. */
  async drained(): Promise<void> {
    while (this.#isWaiting) {
      await new Promise<void>((resolve) => {
        this.#wakeDrained = resolve
      })
    }
    this.throwIfFailed()
  }

  /** Drops the chunks that wait. */
  clear(): void {
    this.#waiting.length = 0
    this.#fullness = 0
  }

  #deliverNext(): void | Promise<void> {
    const chunk = this.#waiting.shift()!
    this.#fullness = this.#waiting.length === 0 ? 0 : this.#fullness - this.#options.shareOf(chunk)
    if (chunk.event === 'audio') this.#playedAtMs = Math.max(this.#playedAtMs, performance.now()) + chunk.duration_ms
    return this.#options.sink(chunk)
  }

  async #deliverWhenReady(room: Promise<void>): Promise<void> {
    this.#isWaiting = true
    try {
      await room
      while (this.#waiting.length > 0) {
        const more = this.#deliverNext()
        this.#options.onDelivered()
        if (more !== undefined) await more
      }
    } catch (reason) {
      this.#fail(reason)
    }
    this.#isWaiting = false
    this.#options.onRoom()
    this.#wakeDrained()
  }

  #fail(reason: unknown): void {
    this.#failure ??= { reason }
    this.clear()
    this.#options.onFailure()
  }
}
