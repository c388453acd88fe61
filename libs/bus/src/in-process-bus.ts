import { AsyncResource } from 'node:async_hooks'
import { ServiceError } from '@parlance/contracts'
import {
  type Bus,
  callSubscriber,
  checkHeaders,
  type Message,
  maxMessageBytes,
  type PublishOptions,
  piecesOf,
  type Subscription,
} from './bus.js'
import { createSubjectMatcher } from './subject.js'
import type { CallTracing } from './telemetry.js'

interface Subscriber {
  readonly onMessage: (message: Message) => void
  /** The queue group. Each message goes to one member of the group. */
  readonly queue: string | undefined
  /** False once it has unsubscribed. */
  active: boolean
}

interface PatternSubscriber {
  readonly matches: (subject: string) => boolean
  readonly subscriber: Subscriber
}

/** The subscribers of an in-process bus, by subject. */
const createSubscribers = () => {
  const exact = new Map<string, Subscriber[]>()
  const patterns: PatternSubscriber[] = []
  /** How often a queue group has received a message of a subject. */
  const rotations = new Map<string, number>()

  const addExact = (subject: string, subscriber: Subscriber) => {
    const list = exact.get(subject) ?? []
    exact.set(subject, list)
    list.push(subscriber)
    return () => {
      remove(list, subscriber)
      if (list.length === 0 && exact.get(subject) === list) exact.delete(subject)
    }
  }

  const addPattern = (subject: string, subscriber: Subscriber) => {
    const pattern = { matches: createSubjectMatcher(subject), subscriber }
    patterns.push(pattern)
    return () => remove(patterns, pattern)
  }

  const matching = (subject: string): Subscriber[] => [
    ...(exact.get(subject) ?? []),
    ...patterns.flatMap(({ matches, subscriber }) => (matches(subject) ? [subscriber] : [])),
  ]

  const nextOf = (queue: string, members: readonly Subscriber[], subject: string): Subscriber => {
    const key = `${queue} ${subject}`
    const rotation = rotations.get(key) ?? 0
    rotations.set(key, rotation + 1)
    return members[rotation % members.length]!
  }

  return {
    /** The subject may be a pattern. Returns a function that removes the subscriber. */
    add: (subject: string, subscriber: Subscriber): (() => void) =>
      subject.includes('*') || subject.endsWith('>') ? addPattern(subject, subscriber) : addExact(subject, subscriber),

    /** Those that get a message of this subject. The members of a queue group take turns. */
    select(subject: string): Subscriber[] {
      const selected: Subscriber[] = []
      const groups = new Map<string, Subscriber[]>()
      for (const subscriber of matching(subject)) {
        if (subscriber.queue === undefined) selected.push(subscriber)
        else groups.set(subscriber.queue, [...(groups.get(subscriber.queue) ?? []), subscriber])
      }
      for (const [queue, members] of groups) selected.push(nextOf(queue, members, subject))
      return selected
    },
  }
}

const remove = <Item>(list: Item[], item: Item): void => {
  const index = list.indexOf(item)
  if (index >= 0) list.splice(index, 1)
}

/**
 * A bus inside one process that behaves like NATS: it copies bytes, delivers in a later tick, rotates within a queue
 * group, refuses messages that are too large, and answers requests to subjects without a subscriber.
 */
export const createInProcessBus = ({ tracing }: { readonly tracing?: CallTracing } = {}): Bus => {
  const subscribers = createSubscribers()
  let waiting: { subject: string; data: Uint8Array; options: PublishOptions | undefined }[] = []
  let inboxes = 0
  let open = true

  const deliver = (subject: string, data: Uint8Array, options: PublishOptions | undefined, noResponders: boolean) => {
    const receivers = subscribers.select(subject)
    const reply = options?.reply
    for (const subscriber of receivers) {
      // The subscriber before this one may have unsubscribed it.
      if (!subscriber.active) continue
      // Each receives a copy. (`slice` of a Buffer does not copy.)
      const message = { subject, data: Buffer.from(data), reply, headers: options?.headers, noResponders }
      callSubscriber(subscriber.onMessage, message)
    }
    if (receivers.length === 0 && reply !== undefined) deliver(reply, new Uint8Array(0), undefined, true)
  }

  /** Runs outside of the span in which the first of the messages was published. */
  const drainQueue = AsyncResource.bind(() => {
    const batch = waiting
    waiting = []
    for (const { subject, data, options } of batch) deliver(subject, data, options, false)
  })

  const bus: Bus = {
    system: 'in_process',
    tracing,
    publish(subject, data, options) {
      if (!open) throw new ServiceError('unavailable', 'The message bus is closed.')
      const copied = Buffer.concat(piecesOf(data))
      if (copied.length > maxMessageBytes) throw new RangeError(`a message must have at most ${maxMessageBytes} bytes`)
      if (options?.headers) checkHeaders(options.headers)
      if (waiting.length === 0) setImmediate(drainQueue)
      const headers = options?.headers && Object.fromEntries(lowerCaseNames(options.headers))
      waiting.push({
        subject,
        data: copied,
        options: options && { ...options, ...(headers ? { headers } : {}) },
      })
    },

    subscribe(subject, onMessage, options): Subscription {
      const subscriber: Subscriber = { onMessage, queue: options?.queue, active: true }
      const leave = subscribers.add(subject, subscriber)
      return {
        unsubscribe() {
          subscriber.active = false
          leave()
        },
        async drain() {
          await bus.flush()
          leave()
        },
      }
    },

    inbox: () => `_INBOX.${++inboxes}`,
    flush: () => new Promise((resolve) => setImmediate(resolve)),
    connected: () => open,
    // There is no connection to lose.
    onReconnect: () => () => {},
    onDenied: () => {},
    async close() {
      await bus.flush()
      open = false
    },
  }
  return bus
}

const lowerCaseNames = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
