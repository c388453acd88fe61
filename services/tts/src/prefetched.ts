/**
 * The same items, with the first one asked for now instead of at the first `next()`: what makes them is at work while
 * something else is still being read. Leaving early is passed on.
 */
export const prefetched = <Item>(source: AsyncIterable<Item>): AsyncIterableIterator<Item> => {
  const iterator = source[Symbol.asyncIterator]()
  let first: Promise<IteratorResult<Item>> | undefined = iterator.next()
  // A failure is told to whoever reads; until then it is nobody's.
  first.catch(() => undefined)
  return {
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
