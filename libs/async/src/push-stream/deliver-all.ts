import type { Sink } from './push-stream.js'

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
