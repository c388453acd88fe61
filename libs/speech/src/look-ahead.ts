/**
 * Makes the products of many items ahead of the sink.
 *
 * - Products are given in the order of the items, and within an item in the order they were made.
 * - An item is begun when `opensNext` is true for a product of the item before it, so that the first product never waits for
 *   the second item. At most `ahead` items are begun behind the one being given.
 * - Products of the item being given are given as they are made. Products of later items wait: when all shares together
 *   reach 1, only the item being given may go on, one product at a time.
 * - A failure is passed on in its turn, after everything made before it. An abort, or a failure, ends all makers and returns
 *   the iterator of the items.
 */
import type { PushStream } from '@parlance/async/push-stream'

export interface LookAheadOptions<Item, Product> {
  readonly items: AsyncIterable<Item> | Iterable<Item>
  readonly produce: (item: Item) => PushStream<Product>
  /** How many items beyond the one being given may be begun. */
  readonly ahead: number
  /** Whether the next item may be begun after this product. */
  readonly opensNext: (item: Item, product: Product) => boolean
  /** How much of the room for waiting products a product takes, from 0 to 1. */
  readonly share: (product: Product) => number
}

/** A sink that is given the index of the product's item too, from 0. */
export type TakeOfItem<Product> = (product: Product, index: number) => void | Promise<void>

interface Line<Product> {
  readonly index: number
  readonly waiting: Product[]
  /** The next may be begun. */
  opened: boolean
  /** Everything before is given: products are given as they are made. */
  inTurn: boolean
  outcome: Outcome
  /** Called when its maker has room again. */
  goOn?: (() => void) | undefined
}
type Source<Item> = AsyncIterator<Item> | Iterator<Item>
type Outcome = 'open' | 'ended' | { readonly error: unknown }

/** Created once, since an abort without a reason creates an error with its stack. */
const over = new Error('All is given.')

/** Like a push stream, with the index of each product's item. Rejects with what the items or a maker fail with. */
export const lookAhead =
  <Item, Product>(options: LookAheadOptions<Item, Product>) =>
  async (take: TakeOfItem<Product>, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted()
    const stop = new AbortController()
    const onAbort = () => stop.abort(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    const { items } = options
    const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
    try {
      await new Promise<void>((resolve, reject) => {
        stop.signal.addEventListener('abort', () => reject(stop.signal.reason), { once: true })
        new OrderedGiving(options, take, stop.signal).run(source).then(resolve, reject)
      })
    } finally {
      signal.removeEventListener('abort', onAbort)
      stop.abort(over)
      // A source that is still waiting for its next item cannot be waited for.
      void Promise.resolve(source.return?.()).catch(() => undefined)
    }
  }

/** The items that are begun and not given, in their order, and their products that wait. */
class OrderedGiving<Item, Product> {
  readonly #options: LookAheadOptions<Item, Product>
  readonly #take: TakeOfItem<Product>
  readonly #stop: AbortSignal
  readonly #lines: Line<Product>[] = []
  readonly #change = createChange()
  #itemsOutcome: Outcome = 'open'
  #waitingShare = 0
  #isStopped = false

  constructor(options: LookAheadOptions<Item, Product>, take: TakeOfItem<Product>, stop: AbortSignal) {
    this.#options = options
    this.#take = take
    this.#stop = stop
  }

  /** Resolves when everything is given. Rejects with the first failure, after everything made before it, or with the abort. */
  async run(source: Source<Item>): Promise<void> {
    this.#stop.addEventListener('abort', () => this.#stopMakers())
    void this.#begin(source)
    for (;;) {
      const line = this.#lines[0]
      const outcome = line?.outcome ?? this.#itemsOutcome
      if (line !== undefined && line.waiting.length > 0) await this.#catchUp(line)
      else if (typeof outcome === 'object') throw outcome.error
      else if (outcome === 'open') await this.#change.next()
      else if (line === undefined) return
      else {
        this.#lines.shift()
        this.#change.notify()
      }
      this.#stop.throwIfAborted()
    }
  }

  /** Begins the items, each when it may be. */
  async #begin(source: Source<Item>): Promise<void> {
    try {
      for (let index = 0; ; index++) {
        while (!this.#stop.aborted && !this.#mayBegin()) await this.#change.next()
        if (this.#stop.aborted) break
        const next = await source.next()
        if (next.done || this.#stop.aborted) break
        const line: Line<Product> = { index, waiting: [], opened: false, inTurn: false, outcome: 'open' }
        this.#lines.push(line)
        void this.#make(line, next.value)
      }
      this.#itemsOutcome = 'ended'
    } catch (error) {
      this.#itemsOutcome = { error }
    }
    this.#change.notify()
  }

  /** After a failure nothing more will be given. */
  #mayBegin(): boolean {
    const isOpened = ({ opened, outcome }: Line<Product>) => opened && typeof outcome === 'string'
    return this.#lines.length <= this.#options.ahead && this.#lines.every(isOpened)
  }

  async #make(line: Line<Product>, item: Item): Promise<void> {
    try {
      await this.#options.produce(item)((product) => this.#accept(line, item, product), this.#stop)
      line.outcome = 'ended'
    } catch (error) {
      line.outcome = { error }
    }
    line.opened = true
    this.#change.notify()
  }

  /** Gives a product, or lets it wait. Returns a promise while its maker has no room for another. */
  #accept(line: Line<Product>, item: Item, product: Product): void | Promise<void> {
    if (this.#isStopped) throw this.#stop.reason
    const { opensNext, share } = this.#options
    if (!line.opened && opensNext(item, product)) {
      line.opened = true
      this.#change.notify()
    }
    if (line.inTurn) return this.#take(product, line.index)
    line.waiting.push(product)
    this.#waitingShare += share(product)
    if (line === this.#lines[0]) this.#change.notify()
    if (this.#hasRoom(line)) return
    return new Promise((resolve) => {
      line.goOn = resolve
    })
  }

  /** Gives what waits of the first item, whose products are then given as they are made. */
  async #catchUp(line: Line<Product>): Promise<void> {
    for (let product = line.waiting.shift(); product !== undefined; product = line.waiting.shift()) {
      this.#waitingShare -= this.#options.share(product)
      this.#wakeMakers()
      const room = this.#take(product, line.index)
      if (room !== undefined) await room
      this.#stop.throwIfAborted()
    }
    line.inTurn = true
    this.#wakeMakers()
  }

  #hasRoom(line: Line<Product>): boolean {
    return this.#waitingShare < 1 || (line === this.#lines[0] && line.waiting.length === 0)
  }

  #wakeMakers(): void {
    for (const line of this.#lines) {
      if (line.goOn === undefined || !this.#hasRoom(line)) continue
      line.goOn()
      line.goOn = undefined
    }
  }

  #stopMakers(): void {
    this.#isStopped = true
    for (const { goOn } of this.#lines) goOn?.()
    this.#change.notify()
  }
}

/** A condition variable: `next` resolves at the next `notify`. */
const createChange = () => {
  let wake = () => {}
  let next = Promise.resolve()
  const renew = () => {
    next = new Promise((resolve) => {
      wake = resolve
    })
  }
  renew()
  return {
    next: () => next,
    notify() {
      wake()
      renew()
    },
  }
}
