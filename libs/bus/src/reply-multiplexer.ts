import type { Bus, Message } from './bus.js'

/**
 * One inbox per bus for all answers: a subscription, a timer or an Error made per call is what makes request/reply slow,
 * so every waiting call is an entry in one map, and one coarse sweep ends those that are over their time.
 */
export interface Multiplexer {
  /** Reserves a subject; `onMessage` is called for all that arrives there until `close`. */
  open(onMessage: Receiver['onMessage'], onSweep: Receiver['onSweep']): Mailbox
}

export interface Mailbox {
  readonly subject: string
  close(): void
}

interface Receiver {
  readonly onMessage: (message: Message) => void
  /**
   * Called every `sweepIntervalMs` or so with the present `performance.now()`, and with the time since the last call in
   * which a message would have been heard: while this process is held up what the others say waits unread, and their
   * silence is not theirs.
   */
  readonly onSweep: (nowMs: number, attentiveMs: number) => void
}

/** How late a deadline can be noticed. */
export const sweepIntervalMs = 100
/** A sweep that comes later than this was held up, and what came meanwhile is only read after it. */
const longestAttentiveMs = 2 * sweepIntervalMs

const multiplexers = new WeakMap<Bus, Multiplexer>()

export const multiplexerOf = (bus: Bus): Multiplexer => {
  let multiplexer = multiplexers.get(bus)
  if (multiplexer === undefined) {
    multiplexer = createMultiplexer(bus)
    multiplexers.set(bus, multiplexer)
  }
  return multiplexer
}

const createMultiplexer = (bus: Bus): Multiplexer => {
  const prefix = bus.inbox()
  const mailboxes = new Map<number, Receiver>()
  let last = 0
  let sweeper: NodeJS.Timeout | undefined
  let sweptAtMs = 0

  bus.subscribe(`${prefix}.*`, (message) => {
    // A late reply to a caller that has left finds no entry.
    mailboxes.get(Number(message.subject.slice(prefix.length + 1)))?.onMessage(message)
  })

  const sweep = () => {
    const nowMs = performance.now()
    const attentiveMs = Math.min(nowMs - sweptAtMs, longestAttentiveMs)
    sweptAtMs = nowMs
    for (const mailbox of mailboxes.values()) mailbox.onSweep(nowMs, attentiveMs)
    if (mailboxes.size === 0) {
      clearInterval(sweeper)
      sweeper = undefined
    }
  }

  return {
    open(onMessage, onSweep) {
      const number = ++last
      mailboxes.set(number, { onMessage, onSweep })
      if (sweeper === undefined) {
        sweptAtMs = performance.now()
        // A process that does nothing else is not kept for an answer that nobody may want any more.
        sweeper = setInterval(sweep, sweepIntervalMs).unref()
      }
      return { subject: `${prefix}.${number}`, close: () => mailboxes.delete(number) }
    },
  }
}
