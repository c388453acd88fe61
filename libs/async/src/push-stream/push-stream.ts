/**
 * Delivers items in order, each when there is room for it. Returns nothing when all were delivered at once, else a promise
 * that resolves when there is room for the next. Throws, or rejects with, the error of `sink` or `items`.
 */
export const deliverAll = <Item>(items: Iterable<Item>, sink: Sink<Item>): void | Promise<void> => {
  const iterator = items[Symbol.iterator]()
  for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
    const room = sink(next.value)
    if (room !== undefined) return deliverRest(iterator, sink, room)
  }
}

const deliverRest = async <Item>(iterator: Iterator<Item>, sink: Sink<Item>, room: Promise<void>): Promise<void> => {
  await room
  for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
    const more = sink(next.value)
    if (more !== undefined) await more
  }
}

/**
 * An iterable as a push stream. `iterate` is called for every start of the stream, and its iterator is closed when the stream
 * ends. An iterator that ignores the signal while it waits notices an abort with its next item.
 */
export const pushStreamFrom =
  <Item>(iterate: (signal: AbortSignal) => AsyncIterable<Item> | Iterable<Item>): PushStream<Item> =>
  async (sink, signal) => {
    signal.throwIfAborted()
    for await (const item of iterate(signal)) {
      signal.throwIfAborted()
      const ready = sink(item)
      if (ready !== undefined) await ready
    }
    signal.throwIfAborted()
  }

/**
 * Receives one item. Returns nothing when the next item may follow at once, or a promise that resolves when it may. Throws, or
 * rejects, to end the stream.
 */
export type Sink<Item> = (item: Item) => void | Promise<void>

/**
 * Passes its items to `sink` in order, each in the tick in which it is produced unless the sink has asked it to wait. Between
 * producer and sink there is no queue, no promise and no copy. The stream starts when it is called; every call produces all
 * items again.
 *
 * Resolves after the last item was taken. Rejects with its own error, after the items that precede it; with the error that
 * `sink` threw; or, at once, with the reason of the signal, after which `sink` is not called again.
 */
export type PushStream<Item> = (sink: Sink<Item>, signal: AbortSignal) => Promise<void>
