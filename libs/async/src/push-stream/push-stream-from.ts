import type { PushStream } from './push-stream.js'

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
