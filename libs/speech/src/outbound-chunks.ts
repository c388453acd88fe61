import type { Sink } from '@parlance/async/push-stream'
import type { SynthesisChunk } from '@parlance/contracts'

/** A chunk for the sink, or something to be done after the chunks before it were given. */
export type OutboundItem = SynthesisChunk | (() => void | Promise<void>)

export interface OutboundChunksOptions {
  readonly sink: Sink<SynthesisChunk>
  /** How much of the room for waiting items an item takes, from 0 to 1. */
  readonly shareOf: (item: OutboundItem) => number
  /** Called when an item was given that had waited for room. */
  readonly onGiven: () => void
  /** Called when the sink has room again and no item waits, or the sink has failed meanwhile. */
  readonly onRoom: () => void
  /** Called when the sink fails. */
  readonly onFailure: () => void
}

/** Gives items in order, each when the sink has room for it. A failure of the sink drops the items that wait. */
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

  /** When the audio that was given will have been played. */
  get playedAtMs(): number {
    return this.#playedAtMs
  }

  /** Throws what the sink failed with. */
  throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure.reason
  }

  /** Adds items. Gives those for which there is room now. */
  give(...items: readonly OutboundItem[]): void {
    for (const item of items) {
      this.#items.push(item)
      this.#fullness += this.#options.shareOf(item)
    }
    try {
      while (!this.#isWaiting && this.#items.length > 0) {
        const room = this.#giveNext()
        if (room !== undefined) void this.#giveWhenRoom(room)
      }
    } catch (reason) {
      this.#fail(reason)
    }
  }

  /** Resolves when all items were given. Rejects with what the sink failed with. */
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

  #giveNext(): void | Promise<void> {
    const item = this.#items.shift()!
    this.#fullness = this.#items.length === 0 ? 0 : this.#fullness - this.#options.shareOf(item)
    if (typeof item === 'function') return item()
    if (item.event === 'audio') this.#playedAtMs = Math.max(this.#playedAtMs, performance.now()) + item.duration_ms
    return this.#options.sink(item)
  }

  async #giveWhenRoom(room: Promise<void>): Promise<void> {
    this.#isWaiting = true
    try {
      await room
      while (this.#items.length > 0) {
        const more = this.#giveNext()
        this.#options.onGiven()
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
