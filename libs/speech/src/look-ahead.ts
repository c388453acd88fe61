/**
 * Produces the products of many items ahead of the sink.
 *
 * - Products are delivered in the order of the items, and within an item in the order in which they are produced.
 * - An item is begun when `opensNext` is true for a product of the item before it, so that the first product never waits for
 *   the second item. At most `ahead` items are begun behind the current one.
 * - Products of the current item are delivered as they are produced. Products of later items wait: when all shares together
 *   reach 1, only the current item is produced further, one product at a time.
 * - A failure is delivered in order, after every product that precedes it. An abort or a failure stops all producers and
 *   returns the iterator of the items.
 */
import type { PushStream } from '@parlance/async/push-stream'

interface LookAheadOptions<Item, Product> {
  readonly items: AsyncIterable<Item> | Iterable<Item>
  readonly produce: (item: Item) => PushStream<Product>
  /** How many items after the current one may be begun. */
  readonly ahead: number
  /** Whether the next item may be begun after this product. */
  readonly opensNext: (item: Item, product: Product) => boolean
  /** The share of the capacity for waiting products that a product occupies, from 0 to 1. */
  readonly share: (product: Product) => number
}

/** A sink that also receives the index of the product's item, from 0. */
type ItemSink<Product> = (product: Product, index: number) => void | Promise<void>

interface ItemQueue<Product> {
  readonly index: number
  readonly waiting: Product[]
  /** Whether the next item may be begun. */
  opened: boolean
  /** Whether all earlier products were delivered, so that its own are delivered as they are produced. */
  isCurrent: boolean
  outcome: Outcome
  /** Lets its producer continue. */
  resume?: (() => void) | undefined
}
type Source<Item> = AsyncIterator<Item> | Iterator<Item>
type Outcome = 'open' | 'ended' | { readonly error: unknown }

/** Created once, since an abort without a reason creates an error with its stack. */
const allDelivered = new Error('Every product was delivered.')

/** Like a push stream, with the index of each product's item. Rejects with the error of the items or of a producer. */
export const lookAhead =
  <Item, Product>(options: LookAheadOptions<Item, Product>) =>
  async (sink: ItemSink<Product>, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted()
    const stop = new AbortController()
    const onAbort = () => stop.abort(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    const { items } = options
    const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
    try {
      await new Promise<void>((resolve, reject) => {
        stop.signal.addEventListener('abort', () => reject(stop.signal.reason), { once: true })
        new OrderedDelivery(options, sink, stop.signal).run(source).then(resolve, reject)
      })
    } finally {
      signal.removeEventListener('abort', onAbort)
      stop.abort(allDelivered)
      // Not awaited: the source may still be waiting for its next item.
      void Promise.resolve(source.return?.()).catch(() => undefined)
    }
  }

/** The items that were begun and are not yet delivered, in order, with their waiting products. */
class OrderedDelivery<Item, Product> {
  readonly #options: LookAheadOptions<Item, Product>
  readonly #sink: ItemSink<Product>
  readonly #stop: AbortSignal
  readonly #queues: ItemQueue<Product>[] = []
  readonly #change = createChange()
  #itemsOutcome: Outcome = 'open'
  #waitingShare = 0
  #isStopped = false

  constructor(options: LookAheadOptions<Item, Product>, sink: ItemSink<Product>, stop: AbortSignal) {
    this.#options = options
    this.#sink = sink
    this.#stop = stop
  }

  /**
   * Resolves when every product was delivered. Rejects with the first failure, after the products that precede it, or with the
   * reason of the abort.
   */
  async run(source: Source<Item>): Promise<void> {
    this.#stop.addEventListener('abort', () => this.#stopProducers())
    void this.#begin(source)
    for (;;) {
      const queue = this.#queues[0]
      const outcome = queue?.outcome ?? this.#itemsOutcome
      if (queue !== undefined && queue.waiting.length > 0) await this.#catchUp(queue)
      else if (typeof outcome === 'object') throw outcome.error
      else if (outcome === 'open') await this.#change.next()
      else if (queue === undefined) return
      else {
        this.#queues.shift()
        this.#change.notify()
      }
      this.#stop.throwIfAborted()
    }
  }

  /** Begins each item as soon as it may be begun. */
  async #begin(source: Source<Item>): Promise<void> {
    try {
      for (let index = 0; ; index++) {
        while (!this.#stop.aborted && !this.#mayBegin()) await this.#change.next()
        if (this.#stop.aborted) break
        const next = await source.next()
        if (next.done || this.#stop.aborted) break
        const queue: ItemQueue<Product> = { index, waiting: [], opened: false, isCurrent: false, outcome: 'open' }
        this.#queues.push(queue)
        void this.#produce(queue, next.value)
      }
      this.#itemsOutcome = 'ended'
    } catch (error) {
      this.#itemsOutcome = { error }
    }
    this.#change.notify()
  }

  /** After a failure nothing more is delivered. */
  #mayBegin(): boolean {
    const isOpened = ({ opened, outcome }: ItemQueue<Product>) => opened && typeof outcome === 'string'
    return this.#queues.length <= this.#options.ahead && this.#queues.every(isOpened)
  }

  async #produce(queue: ItemQueue<Product>, item: Item): Promise<void> {
    try {
      await this.#options.produce(item)((product) => this.#accept(queue, item, product), this.#stop)
      queue.outcome = 'ended'
    } catch (error) {
      queue.outcome = { error }
    }
    queue.opened = true
    this.#change.notify()
  }

  /** Delivers a product or lets it wait. Returns a promise while its producer has to wait. */
  #accept(queue: ItemQueue<Product>, item: Item, product: Product): void | Promise<void> {
    if (this.#isStopped) throw this.#stop.reason
    const { opensNext, share } = this.#options
    if (!queue.opened && opensNext(item, product)) {
      queue.opened = true
      this.#change.notify()
    }
    if (queue.isCurrent) return this.#sink(product, queue.index)
    queue.waiting.push(product)
    this.#waitingShare += share(product)
    if (queue === this.#queues[0]) this.#change.notify()
    if (this.#hasRoom(queue)) return
    return new Promise((resolve) => {
      queue.resume = resolve
    })
  }

  /** Delivers the waiting products of the first item, which then becomes the current one. */
  async #catchUp(queue: ItemQueue<Product>): Promise<void> {
    for (let product = queue.waiting.shift(); product !== undefined; product = queue.waiting.shift()) {
      this.#waitingShare -= this.#options.share(product)
      this.#resumeProducers()
      const room = this.#sink(product, queue.index)
      if (room !== undefined) await room
      this.#stop.throwIfAborted()
    }
    queue.isCurrent = true
    this.#resumeProducers()
  }

  #hasRoom(queue: ItemQueue<Product>): boolean {
    return this.#waitingShare < 1 || (queue === this.#queues[0] && queue.waiting.length === 0)
  }

  #resumeProducers(): void {
    for (const queue of this.#queues) {
      if (queue.resume === undefined || !this.#hasRoom(queue)) continue
      queue.resume()
      queue.resume = undefined
    }
  }

  #stopProducers(): void {
    this.#isStopped = true
    for (const { resume } of this.#queues) resume?.()
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
