/**
 * Makes what belongs to each of many items ahead of its being taken.
 *
 * - Products are given in the order of the items, and within an item in the order they were made.
 * - An item is begun when the one before it has come far enough, which `opensNext` says, and at most `ahead` others wait
 *   behind the one being given, so that the first sound is never held up by the second.
 * - What is made in its turn is given as it is made; nothing waits in between. What waits for its turn is bounded: when
 *   all shares together reach 1, makers have no room for more. Only the item being given may then go on, one product at a
 *   time.
 * - A failure is told in its turn, after everything made before it. An abort, or a failure, ends all makers and leaves the
 *   source of the items.
 */
import type { PushStream } from '@parlance/async/push-stream'

export interface LookAheadOptions<Item, Product> {
  readonly items: AsyncIterable<Item> | Iterable<Item>
  readonly produce: (item: Item) => PushStream<Product>
  /** How many items beyond the one being given may be in the making. */
  readonly ahead: number
  /** Whether an item has come so far with this product that the next may be begun. */
  readonly opensNext: (item: Item, product: Product) => boolean
  /** How much of the room for what waits a product takes up. */
  readonly share: (product: Product) => number
}

/** Takes a product of the item that is the `index`th, from 0; what it answers is room for the next, as with a flow. */
export type TakeOfItem<Product> = (product: Product, index: number) => void | Promise<void>

interface Line<Product> {
  readonly index: number
  readonly waiting: Product[]
  /** The next may be begun. */
  opened: boolean
  /** All before it, and what waited of it, is given: what is made now is given as it is made. */
  inTurn: boolean
  outcome: Outcome
  /** Its maker waits for room. */
  goOn?: (() => void) | undefined
}
type Outcome = 'open' | 'ended' | { readonly error: unknown }

/** Made once: an abort without a reason makes one, with its stack. */
const over = new Error('All is given.')

/** Like a flow, which tells of each product whose it is. Rejects with what the items or a maker fail with. */
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
        change.tell()
      }
      if (line.inTurn) return take(product, line.index)
      line.waiting.push(product)
      waitingShare += share(product)
      if (line === lines[0]) change.tell()
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
    change.tell()
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
    change.tell()
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
    change.tell()
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
      change.tell()
    }
    stop.throwIfAborted()
  }
}

/** Something changed: whoever waits looks again. */
const createChange = () => {
  let tell = () => {}
  let next = Promise.resolve()
  const renew = () => {
    next = new Promise((resolve) => {
      tell = resolve
    })
  }
  renew()
  return {
    next: () => next,
    tell() {
      tell()
      renew()
    },
  }
}
