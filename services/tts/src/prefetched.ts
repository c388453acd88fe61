/** The first item has been asked for. */
export interface Prefetched<Item> extends AsyncIterableIterator<Item> {
  /** Resolves when the first item is there, or it is known that there is none. */
  readonly ready: Promise<void>
}

/**
 * The same items, with the first one asked for now instead of at the first `next()`: what makes them is at work while
 * something else is still being read. Leaving early is passed on.
 */
export const prefetched = <Item>(source: AsyncIterable<Item>): Prefetched<Item> => {
  const iterator = source[Symbol.asyncIterator]()
  let first: Promise<IteratorResult<Item>> | undefined = iterator.next()
  const settled = () => undefined
  // A failure is the reader's; until there is one it is ignored.
  const ready = first.then(settled, settled)
  return {
    ready,
    [Symbol.asyncIterator]() {
      return this
    },
    next() {
      const next = first ?? iterator.next()
      first = undefined
      return next
    },
    async return(value) {
      await iterator.return?.()
      return { done: true, value }
    },
  }
}
