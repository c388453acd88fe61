/**
 * The bus port: what typed calls and streams need of a message system. Adapters: `in-process-bus.ts`, `nats/nats-bus.ts`.
 *
 * Every adapter guarantees:
 * - a message is delivered asynchronously, and its bytes belong to the receiver;
 * - exactly one subscriber of a queue group gets a message; every subscriber without a group gets it;
 * - a request (a publish with `reply`) to a subject without a subscriber is answered at once with `noResponders`;
 * - messages from one publisher to one subject arrive in order;
 * - a subscriber that throws affects no other subscriber.
 */

import type { CallTracing } from './telemetry.js'

/** Header values by name. Names are case-insensitive; a value is one line. */
export type Headers = Readonly<Record<string, string>>

/** A message as a subscriber receives it. */
export interface Message {
  readonly subject: string
  readonly data: Uint8Array
  /** The subject for replies, if the publisher wants one. */
  readonly reply: string | undefined
  /** Undefined for a message without headers. Header names are lower case. */
  readonly headers: Headers | undefined
  /** The bus's own reply to a request whose subject has no subscriber; `data` is empty. */
  readonly noResponders: boolean
}

/** `reply` makes the message a request: the subject for its replies. */
export interface PublishOptions {
  reply?: string
  headers?: Headers
}

/** A subscription that delivers messages until it is ended. */
export interface Subscription {
  /** Stops delivery at once. */
  unsubscribe(): void
  /** Accepts no new messages, delivers those already accepted, then resolves. */
  drain(): Promise<void>
}

/** The bytes of a message, in one part or in several consecutive parts. Publishing copies them once. */
export type MessageBytes = Uint8Array | readonly Uint8Array[]

export const piecesOf = (data: MessageBytes): readonly Uint8Array[] => (data instanceof Uint8Array ? [data] : data)

export const lengthOf = (pieces: readonly Uint8Array[]): number => {
  let bytes = 0
  for (const piece of pieces) bytes += piece.length
  return bytes
}

const lineBreak = /[\r\n]/

/** Throws `RangeError` for a name or a value that contains a line break, or a name that contains a colon. */
export const checkHeaders = (headers: Headers): void => {
  for (const [name, value] of Object.entries(headers)) {
    if (lineBreak.test(name) || name.includes(':') || lineBreak.test(value))
      throw new RangeError('a header must be one line')
  }
}

/**
 * Calls a subscriber. An error that it throws becomes an uncaught exception of the process; other subscribers are still
 * called.
 */
export const callSubscriber = (onMessage: (message: Message) => void, message: Message): void => {
  try {
    onMessage(message)
  } catch (error) {
    process.nextTick(() => {
      throw error
    })
  }
}

/** An operation on a subject that the permissions of a connection do not allow. */
export interface DeniedOperation {
  readonly operation: 'publish' | 'subscription'
  readonly subject: string
}

/** The port's own limit. NATS allows 1 MiB for body and headers together. */
export const maxMessageBytes = 512 * 1024

/** A connection to the message system, or its in-process counterpart. */
export interface Bus {
  /** The name of the message system in traces. */
  readonly system: 'nats' | 'in_process'
  /** Records the calls that this process makes. */
  readonly tracing?: CallTracing | undefined
  /**
   * `data` is at most `maxMessageBytes`, and is copied before this returns. Throws `ServiceError('unavailable')` when not
   * connected.
   */
  publish(subject: string, data: MessageBytes, options?: PublishOptions): void
  /** `subject` may contain the wildcards `*` (one token) and, at the end, `>` (the rest). */
  subscribe(subject: string, onMessage: (message: Message) => void, options?: { queue?: string }): Subscription
  /** A new, unique subject, to be subscribed with `.*` or `.>` appended. */
  inbox(): string
  /** Resolves when everything published before has reached the server. */
  flush(): Promise<void>
  /** False while the connection is lost; publishing then throws. */
  connected(): boolean
  /**
   * Calls the listener each time a lost connection has been re-established, with every subscription: messages published
   * meanwhile were lost. Returns a function that removes it.
   */
  onReconnect(listener: () => void): () => void
  /** Calls the listener for each operation that the permissions of this connection deny. */
  onDenied(listener: (denied: DeniedOperation) => void): void
  /** Flushes, then closes. Subscriptions must be drained before. */
  close(): Promise<void>
}
