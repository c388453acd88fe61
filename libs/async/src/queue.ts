/**
 * A first in, first out queue between producers and consumers. It has no limit: a producer that can be faster than its
 * consumers must limit itself.
 */
export interface Queue<Item> extends AsyncIterable<Item> {
  /** Ignored after `end` and `fail`. */
  push(item: Item): void
  /**
   * The next item, now or once it is pushed; consumers are served in the order of their calls. Resolves with undefined
   * after the last item of a queue that has ended, and when `signal` is aborted. Rejects once the queue has failed.
   */
  take(signal?: AbortSignal): Promise<Item | undefined>
  /** Removes an item that no consumer has taken; false where there is no such item. */
  remove(item: Item): boolean
  /** Consumers receive the remaining items, then the end. Only the first `end` or `fail` counts. */
  end(): void
  /** Discards the remaining items; consumers receive the error. */
  fail(error: unknown): void
}

interface Consumer<Item> {
  resolve(item: Item | undefined): void
  reject(error: unknown): void
}

/** An empty queue: first in, first out, for any number of producers and consumers. */
export const createQueue = <Item extends NonNullable<unknown>>(): Queue<Item> => {
  const items: Item[] = []
  const consumers = new Set<Consumer<Item>>()
  let state: 'open' | 'ended' | { readonly error: unknown } = 'open'

  const take = (signal?: AbortSignal): Promise<Item | undefined> =>
    new Promise((resolve, reject) => {
      if (typeof state === 'object') return reject(state.error)
      if (signal?.aborted) return resolve(undefined)
      const item = items.shift()
      if (item !== undefined || state === 'ended') return resolve(item)
      const leave = () => {
        consumers.delete(consumer)
        signal?.removeEventListener('abort', onAbort)
      }
      const onAbort = () => {
        leave()
        resolve(undefined)
      }
      const consumer: Consumer<Item> = {
        resolve(next) {
          leave()
          resolve(next)
        },
        reject(error) {
          leave()
          reject(error)
        },
      }
      consumers.add(consumer)
      signal?.addEventListener('abort', onAbort, { once: true })
    })

  return {
    push(item) {
      if (state !== 'open') return
      const [consumer] = consumers
      if (consumer === undefined) items.push(item)
      else consumer.resolve(item)
    },
    take,
    remove(item) {
      const index = items.indexOf(item)
      if (index !== -1) items.splice(index, 1)
      return index !== -1
    },
    end() {
      if (state !== 'open') return
      state = 'ended'
      for (const consumer of [...consumers]) consumer.resolve(undefined)
    },
    fail(error) {
      if (state !== 'open') return
      state = { error }
      items.length = 0
      for (const consumer of [...consumers]) consumer.reject(error)
    },
    async *[Symbol.asyncIterator]() {
      for (let item = await take(); item !== undefined; item = await take()) yield item
    },
  }
}
