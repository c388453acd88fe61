import type { Bus, Message } from './bus.js'

export interface ReplySubscription {
  readonly subject: string
  close(): void
}

interface ReplyReceiver {
  /** The subject that the request, or the replies to it, are published to. */
  readonly publishesTo: string
  onMessage(message: Message): void
  /**
   * Called about every `sweepIntervalMs`. `nowMs` is `performance.now()`. `attentiveMs` is the time since the last call in
   * which this process would have received a message: while its event loop is blocked, messages wait unread, and
   * the silence is not the sender's fault.
   */
  onSweep(nowMs: number, attentiveMs: number): void
  /** The bus does not allow this process to publish to that subject, or to subscribe to its inbox. */
  onDenied(): void
}

/** How late a deadline can be noticed. */
export const sweepIntervalMs = 100
/** A sweep that comes later than this was delayed by a blocked event loop. */
const maxAttentiveMs = 2 * sweepIntervalMs

const multiplexers = new WeakMap<Bus, ReturnType<typeof createMultiplexer>>()

/**
 * One inbox per bus for all replies. A subscription, a timer or an `Error` per call would be most of the cost of a call,
 * so each call is an entry in one map, and one periodic sweep ends those that are past their deadline.
 */
export const multiplexerOf = (bus: Bus) => {
  let multiplexer = multiplexers.get(bus)
  if (multiplexer === undefined) {
    multiplexer = createMultiplexer(bus)
    multiplexers.set(bus, multiplexer)
  }
  return multiplexer
}

const createMultiplexer = (bus: Bus) => {
  const prefix = bus.inbox()
  const receivers = new Map<number, ReplyReceiver>()
  let lastId = 0
  let sweeper: NodeJS.Timeout | undefined
  let sweptAtMs = 0

  const replies = bus.subscribe(`${prefix}.*`, (message) => {
    // A late reply finds no entry.
    receivers.get(Number(message.subject.slice(prefix.length + 1)))?.onMessage(message)
  })
  bus.onDenied(({ operation, subject }) => {
    const isInbox = operation === 'subscription' && subject === `${prefix}.*`
    if (isInbox) {
      replies.unsubscribe()
      // The next call subscribes again, as permissions may change.
      multiplexers.delete(bus)
    }
    for (const receiver of [...receivers.values()]) {
      if (isInbox || (operation === 'publish' && subject === receiver.publishesTo)) receiver.onDenied()
    }
  })

  const sweep = () => {
    const nowMs = performance.now()
    const attentiveMs = Math.min(nowMs - sweptAtMs, maxAttentiveMs)
    sweptAtMs = nowMs
    for (const receiver of receivers.values()) receiver.onSweep(nowMs, attentiveMs)
    if (receivers.size === 0) {
      clearInterval(sweeper)
      sweeper = undefined
    }
  }

  return {
    /** Reserves a subject and receives its messages until `close`. */
    subscribe(receiver: ReplyReceiver): ReplySubscription {
      const id = ++lastId
      receivers.set(id, receiver)
      if (sweeper === undefined) {
        sweptAtMs = performance.now()
        // A process that only waits for replies may exit.
        sweeper = setInterval(sweep, sweepIntervalMs).unref()
      }
      return { subject: `${prefix}.${id}`, close: () => receivers.delete(id) }
    },
  }
}
