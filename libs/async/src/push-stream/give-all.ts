import type { Sink } from './push-stream.js'

/**
 * Gives items in order, each once there is room for it. Returns nothing when all were given at once, else a promise that
 * resolves when there is room for the next. Throws, or rejects with, what `take` or `items` fail with.
 */
export const giveAll = <Item>(items: Iterable<Item>, take: Sink<Item>): void | Promise<void> => {
  const iterator = items[Symbol.iterator]()
  for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
    const room = take(next.value)
    if (room !== undefined) return giveRest(iterator, take, room)
  }
}

const giveRest = async <Item>(iterator: Iterator<Item>, take: Sink<Item>, room: Promise<void>): Promise<void> => {
  await room
  for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
    const more = take(next.value)
    if (more !== undefined) await more
  }
}
