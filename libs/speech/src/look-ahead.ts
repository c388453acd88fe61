/**
 * Makes what belongs to each of many items ahead of its being read.
 *
 * - Products come in the order of the items, and within an item in the order they were made.
 * - An item is begun when the one before it has its first product and at most `ahead` others wait behind the one being
 *   read, so that the first sound is never held up by the second.
 * - What waits unread is bounded: when all shares together reach 1, producers are not asked for more. Only the item being
 *   read may then go on, one product at a time.
 * - A failure is told in its turn, after everything made before it. Leaving the loop, an abort or a failure aborts the
 *   signal of all producers and leaves the source of the items.
 */
export interface LookAheadOptions<Item, Product> {
  readonly items: AsyncIterable<Item>
  readonly produce: (item: Item, signal: AbortSignal) => AsyncIterable<Product>
  /** How many items beyond the one being read may be in the making. */
  readonly ahead: number
  /** How much of the room for what waits a product takes up. */
  readonly share: (product: Product) => number
  readonly signal: AbortSignal
}

export interface Made<Product> {
  /** Of the item, from 0. */
  readonly index: number
  readonly product: Product
}

interface Line<Product> {
  readonly index: number
  readonly products: Product[]
  begun: boolean
  outcome: Outcome
}
type Outcome = 'open' | 'ended' | { readonly error: unknown }

/** Throws the signal's reason when it is aborted, and what the items or a producer throw. */
export async function* lookAhead<Item, Product>({
  items,
  produce,
  ahead,
  share,
  signal,
}: LookAheadOptions<Item, Product>): AsyncGenerator<Made<Product>> {
  signal.throwIfAborted()
  const stop = new AbortController()
  const source = items[Symbol.asyncIterator]()
  const lines: Line<Product>[] = []
  const change = createChange()
  let itemsOutcome: Outcome = 'open'
  let waiting = 0

  /** False when everything has been stopped instead. */
  const until = async (met: () => boolean): Promise<boolean> => {
    while (!stop.signal.aborted && !met()) await change.next()
    return !stop.signal.aborted
  }

  const fill = async (line: Line<Product>, item: Item) => {
    const hasRoom = () => waiting < 1 || (line === lines[0] && line.products.length === 0)
    let outcome: Outcome = 'ended'
    try {
      for await (const product of produce(item, stop.signal)) {
        line.products.push(product)
        line.begun = true
        waiting += share(product)
        change.tell()
        if (!(await until(hasRoom))) break
      }
    } catch (error) {
      outcome = { error }
    }
    line.outcome = outcome
    line.begun = true
    change.tell()
  }

  /** After a failure nothing more will be read. */
  const mayBegin = () =>
    lines.length <= ahead && lines.every(({ begun, outcome }) => begun && typeof outcome === 'string')

  const begin = async () => {
    try {
      for (let index = 0; await until(mayBegin); index++) {
        const next = await source.next()
        if (next.done || stop.signal.aborted) break
        const line: Line<Product> = { index, products: [], begun: false, outcome: 'open' }
        lines.push(line)
        void fill(line, next.value)
      }
      itemsOutcome = 'ended'
    } catch (error) {
      itemsOutcome = { error }
    }
    change.tell()
  }

  const onAbort = () => {
    stop.abort(signal.reason)
    change.tell()
  }
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    void begin()
    for (;;) {
      signal.throwIfAborted()
      const line = lines[0]
      const outcome = line?.outcome ?? itemsOutcome
      const product = line?.products.shift()
      if (line !== undefined && product !== undefined) {
        waiting -= share(product)
        change.tell()
        yield { index: line.index, product }
      } else if (typeof outcome === 'object') {
        throw outcome.error
      } else if (outcome === 'open') {
        await change.next()
      } else if (line === undefined) {
        return
      } else {
        lines.shift()
        change.tell()
      }
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    stop.abort()
    change.tell()
    // A source that is still waiting for its next item cannot be waited for.
    void Promise.resolve(source.return?.()).catch(() => undefined)
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
