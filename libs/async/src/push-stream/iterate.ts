import type { PushStream } from './push-stream.js'

interface Reader<Item> {
  readonly resolve: (result: IteratorResult<Item>) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Reads a push stream at the reader's own pace: the stream starts with the first `next`, an item counts as taken when it is
 * read, and leaving the loop aborts the stream. Throws the error of the stream. A consumer that can process items as they
 * arrive should call the push stream itself, which costs less.
 */
export const iterate = <Item>(stream: PushStream<Item>, signal?: AbortSignal): AsyncIterableIterator<Item> => {
  const left = new AbortController()
  const readers: Reader<Item>[] = []
  let begun = false
  let held: { readonly item: Item; readonly taken: () => void } | undefined
  let end: { readonly failure?: { readonly reason: unknown } } | undefined

  const finish = (failure?: { readonly reason: unknown }) => {
    if (end !== undefined) return
    const [reader, ...others] = readers.splice(0)
    end = reader === undefined && failure !== undefined ? { failure } : {}
    if (failure === undefined) reader?.resolve({ done: true, value: undefined })
    else reader?.reject(failure.reason)
    for (const { resolve } of others) resolve({ done: true, value: undefined })
  }

  const begin = () => {
    begun = true
    const stop = signal === undefined ? left.signal : AbortSignal.any([signal, left.signal])
    // An item that is waiting when the stream fails was produced before that, so it is read; after an abort it is dropped.
    const drop = () => {
      held?.taken()
      held = undefined
    }
    stop.addEventListener('abort', drop, { once: true })
    const sink = (item: Item) => {
      const reader = readers.shift()
      if (reader !== undefined) return reader.resolve({ done: false, value: item })
      return new Promise<void>((taken) => {
        held = { item, taken }
      })
    }
    stream(sink, stop).then(
      () => finish(),
      (reason) => finish({ reason }),
    )
  }

  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      if (!begun && end === undefined) begin()
      if (held !== undefined) {
        const { item, taken } = held
        held = undefined
        taken()
        return { done: false, value: item }
      }
      if (end === undefined) return new Promise((resolve, reject) => readers.push({ resolve, reject }))
      const { failure } = end
      end = {}
      if (failure !== undefined) throw failure.reason
      return { done: true, value: undefined }
    },
    async return(value) {
      finish()
      left.abort()
      return { done: true, value }
    },
  }
}
