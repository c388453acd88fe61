import type { Sink } from '@parlance/async/push-stream'
import type { SynthesisChunk } from '@parlance/contracts'

/** A chunk for the sink, or an action to run after the chunks before it were delivered. */
export type OutboundItem = SynthesisChunk | (() => void | Promise<void>)

export interface OutboundChunksOptions {
  readonly sink: Sink<SynthesisChunk>
  /** The share of the capacity for waiting items that an item occupies, from 0 to 1. */
  readonly shareOf: (item: OutboundItem) => number
  /** Called when an item that had waited for room was delivered. */
  readonly onDelivered: () => void
  /** Called when the sink has room again and no item waits, or when the sink has failed. */
  readonly onRoom: () => void
  /** Called when the sink fails. */
  readonly onFailure: () => void
}

/** Delivers items in order, each when the sink has room for it. A failure of the sink drops the items that wait. */
export class OutboundChunks {
  readonly #options: OutboundChunksOptions
  readonly #items: OutboundItem[] = []
  #fullness = 0
  #isWaiting = false
  #failure: { readonly reason: unknown } | undefined
  #playedAtMs = Number.NEGATIVE_INFINITY
  #wakeDrained = () => {}

  constructor(options: OutboundChunksOptions) {
    this.#options = options
  }

  /** The sum of the shares of the items that wait. */
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

  /** Adds items. Delivers those for which there is room now. */
  push(...items: readonly OutboundItem[]): void {
    for (const item of items) {
      this.#items.push(item)
      this.#fullness += this.#options.shareOf(item)
    }
    try {
      while (!this.#isWaiting && this.#items.length > 0) {
        const room = this.#deliverNext()
        if (room !== undefined) void this.#deliverWhenReady(room)
      }
    } catch (reason) {
      this.#fail(reason)
    }
  }

  /** Resolves when all items were delivered. Rejects with the error of the sink. */
  async drained(): Promise<void> {
    while (this.#isWaiting) {
      await new Promise<void>((resolve) => {
        this.#wakeDrained = resolve
      })
    }
    this.throwIfFailed()
  }

  /** Drops the items that wait. */
  clear(): void {
    this.#items.length = 0
    this.#fullness = 0
  }

  #deliverNext(): void | Promise<void> {
    const item = this.#items.shift()!
    this.#fullness = this.#items.length === 0 ? 0 : this.#fullness - this.#options.shareOf(item)
    if (typeof item === 'function') return item()
    if (item.event === 'audio') this.#playedAtMs = Math.max(this.#playedAtMs, performance.now()) + item.duration_ms
    return this.#options.sink(item)
  }

  async #deliverWhenReady(room: Promise<void>): Promise<void> {
    this.#isWaiting = true
    try {
      await room
      while (this.#items.length > 0) {
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
