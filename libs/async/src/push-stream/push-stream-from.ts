import type { PushStream } from './push-stream.js'

/**
 * What an iterable yields, made anew for each time it is begun, and left when the flow ends. One that waits for its next
 * item, and does not heed its signal, notices an abort when that comes.
 */
export const pushStreamFrom =
  <Item>(iterate: (signal: AbortSignal) => AsyncIterable<Item> | Iterable<Item>): PushStream<Item> =>
  async (take, signal) => {
    signal.throwIfAborted()
    for await (const item of iterate(signal)) {
      signal.throwIfAborted()
      const room = take(item)
      if (room !== undefined) await room
    }
    signal.throwIfAborted()
  }
