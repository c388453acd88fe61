/**
 * The bus port: all that typed calls and streams need of a message system. Adapters: `in-process-bus.ts`, `nats-bus.ts`.
 *
 * What every adapter keeps:
 * - a message is delivered asynchronously, and its bytes are the receiver's own;
 * - of the subscribers in one queue group exactly one gets a message, subscribers without a group all get it;
 * - a request (a publish with `reply`) that nobody listens to is answered at once with `noResponders`;
 * - messages from one publisher to one subject arrive in order.
 */

export type Headers = Readonly<Record<string, string>>

export interface UnnamedMessage {
  readonly data: Uint8Array
  /** Where an answer goes, if one is wanted. */
  readonly reply: string | undefined
  /** Undefined for a message without headers. Header names are lower case. */
  readonly headers: Headers | undefined
  /** Nobody was listening; `data` is empty. */
  readonly noResponders: boolean
}

export interface Message extends UnnamedMessage {
  readonly subject: string
}

export interface PublishOptions {
  reply?: string
  headers?: Headers
}

export interface Subscription {
  /** Stops delivery at once. */
  unsubscribe(): void
  /** Takes no new messages, delivers those already accepted, then resolves. */
  drain(): Promise<void>
}

/** The bytes of a message, in one piece or in several that follow each other: what is copied once need not be joined before. */
export type MessageBytes = Uint8Array | readonly Uint8Array[]

export const piecesOf = (data: MessageBytes): readonly Uint8Array[] => (data instanceof Uint8Array ? [data] : data)

export const lengthOf = (pieces: readonly Uint8Array[]): number => {
  let bytes = 0
  for (const piece of pieces) bytes += piece.length
  return bytes
}

/** A limit of the port's own, below the 1 MiB that NATS allows for body and headers together. */
export const maxMessageBytes = 512 * 1024

export interface Bus {
  /** `data` is at most `maxMessageBytes`, and is copied before this returns. Throws `ServiceError('unavailable')` when not connected. */
  publish(subject: string, data: MessageBytes, options?: PublishOptions): void
  /** `subject` may hold the wildcards `*` (one token) and, at the end, `>` (the rest). */
  subscribe(subject: string, onMessage: (message: Message) => void, options?: { queue?: string }): Subscription
  /**
   * Hears `prefix.0`, `prefix.1` and so on, and tells which by the number: to make a name of each message's subject, and to
   * look it up, costs more than all else that is done with a small one. What is no number is -1.
   */
  subscribeNumbered(prefix: string, onMessage: (number: number, message: UnnamedMessage) => void): Subscription
  /** A new subject that nobody else uses; made to be subscribed with `.*` or `.>` appended. */
  inbox(): string
  /** Resolves when all that was published before has reached the server. */
  flush(): Promise<void>
  /** False while the connection is lost; publishing then throws. */
  connected(): boolean
  /** Flushes, then closes. Subscriptions are drained by who made them, before. */
  close(): Promise<void>
}
