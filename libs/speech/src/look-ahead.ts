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
type Outcome = 'open' | 'ended' | { readonly error: unknown }

/** Made once: an abort without a reason makes one, with its stack. */
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
        giveInOrder(options, source, take, stop.signal).then(resolve, reject)
      })
    } finally {
      signal.removeEventListener('abort', onAbort)
      stop.abort(over)
      // A source that is still waiting for its next item cannot be waited for.
      void Promise.resolve(source.return?.()).catch(() => undefined)
    }
  }

const giveInOrder = async <Item, Product>(
  { produce, ahead, opensNext, share }: LookAheadOptions<Item, Product>,
  source: AsyncIterator<Item> | Iterator<Item>,
  take: TakeOfItem<Product>,
  stop: AbortSignal,
): Promise<void> => {
  const lines: Line<Product>[] = []
  const change = createChange()
  let itemsOutcome: Outcome = 'open'
  let waitingShare = 0
  let stopped = false

  const hasRoom = (line: Line<Product>) => waitingShare < 1 || (line === lines[0] && line.waiting.length === 0)
  const wakeMakers = () => {
    for (const line of lines) {
      if (line.goOn === undefined || !hasRoom(line)) continue
      line.goOn()
      line.goOn = undefined
    }
  }

  const takeOf =
    (line: Line<Product>, item: Item) =>
    (product: Product): void | Promise<void> => {
      if (stopped) throw stop.reason
      if (!line.opened && opensNext(item, product)) {
        line.opened = true
        change.notify()
      }
      if (line.inTurn) return take(product, line.index)
      line.waiting.push(product)
      waitingShare += share(product)
      if (line === lines[0]) change.notify()
      if (hasRoom(line)) return
      return new Promise((resolve) => {
        line.goOn = resolve
      })
    }

  const make = async (line: Line<Product>, item: Item) => {
    try {
      await produce(item)(takeOf(line, item), stop)
      line.outcome = 'ended'
    } catch (error) {
      line.outcome = { error }
    }
    line.opened = true
    change.notify()
  }

  /** After a failure nothing more will be given. */
  const mayBegin = () =>
    lines.length <= ahead && lines.every(({ opened, outcome }) => opened && typeof outcome === 'string')

  const begin = async () => {
    try {
      for (let index = 0; ; index++) {
        while (!stop.aborted && !mayBegin()) await change.next()
        if (stop.aborted) break
        const next = await source.next()
        if (next.done || stop.aborted) break
        const line: Line<Product> = { index, waiting: [], opened: false, inTurn: false, outcome: 'open' }
        lines.push(line)
        void make(line, next.value)
      }
      itemsOutcome = 'ended'
    } catch (error) {
      itemsOutcome = { error }
    }
    change.notify()
  }

  const catchUp = async (line: Line<Product>) => {
    for (let product = line.waiting.shift(); product !== undefined; product = line.waiting.shift()) {
      waitingShare -= share(product)
      wakeMakers()
      const room = take(product, line.index)
      if (room !== undefined) await room
      stop.throwIfAborted()
    }
    line.inTurn = true
    wakeMakers()
  }

  stop.addEventListener('abort', () => {
    stopped = true
    for (const { goOn } of lines) goOn?.()
    change.notify()
  })
  void begin()
  for (;;) {
    const line = lines[0]
    const outcome = line?.outcome ?? itemsOutcome
    if (line !== undefined && line.waiting.length > 0) await catchUp(line)
    else if (typeof outcome === 'object') throw outcome.error
    else if (outcome === 'open') await change.next()
    else if (line === undefined) return
    else {
      lines.shift()
      change.notify()
    }
    stop.throwIfAborted()
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
