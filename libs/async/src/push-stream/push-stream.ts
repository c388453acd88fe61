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
