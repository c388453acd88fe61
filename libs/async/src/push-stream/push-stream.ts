/**
 * Takes one item. What it answers is room for the next: nothing when there is some, else a promise that resolves once
 * there is. It throws, or rejects, to end the flow.
 */
export type Sink<Item> = (item: Item) => void | Promise<void>

/**
 * Gives its items in order, each once there is room for it, in the very turn of the event loop in which it is there:
 * between its maker and its taker there is no queue, no promise and no copy. It begins when it is called, and every call
 * gives all items anew.
 *
 * Resolves after the last item was taken. Rejects with what ended it before: its own failure, after all that came before
 * that; what `take` threw; or, at once, the reason of the signal, after which nothing more is given.
 */
export type PushStream<Item> = (take: Sink<Item>, signal: AbortSignal) => Promise<void>
