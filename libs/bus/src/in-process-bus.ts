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

interface Subscriber {
  readonly matches: (subject: string) => boolean
  readonly onMessage: (message: Message) => void
  readonly queue: string | undefined
  active: boolean
}

/**
 * A bus inside one process that behaves like NATS: it copies bytes, delivers in a later tick, rotates within a queue
 * group, refuses messages that are too large, and answers requests to subjects without a subscriber.
 */
export const createInProcessBus = (): Bus => {
  const exact = new Map<string, Subscriber[]>()
  const patterns: Subscriber[] = []
  const rotations = new Map<string, number>()
  let waiting: { subject: string; data: Uint8Array; options: PublishOptions | undefined }[] = []
  let inboxes = 0
  let open = true

  const receivers = (subject: string): Subscriber[] => {
    const all = [...(exact.get(subject) ?? []), ...patterns.filter((subscriber) => subscriber.matches(subject))]
    const groups = new Map<string, Subscriber[]>()
    const chosen: Subscriber[] = []
    for (const subscriber of all) {
      if (subscriber.queue === undefined) chosen.push(subscriber)
      else groups.set(subscriber.queue, [...(groups.get(subscriber.queue) ?? []), subscriber])
    }
    for (const [queue, members] of groups) {
      const key = `${queue} ${subject}`
      const rotation = rotations.get(key) ?? 0
      rotations.set(key, rotation + 1)
      chosen.push(members[rotation % members.length]!)
    }
    return chosen
  }

  const deliver = (subject: string, data: Uint8Array, options: PublishOptions | undefined, noResponders: boolean) => {
    const subscribers = receivers(subject)
    const reply = options?.reply
    for (const subscriber of subscribers) {
      // The subscriber before this one may have unsubscribed it.
      if (!subscriber.active) continue
      // Each receives a copy. (`slice` of a Buffer does not copy.)
      const message = { subject, data: Buffer.from(data), reply, headers: options?.headers, noResponders }
      callSubscriber(subscriber.onMessage, message)
    }
    if (subscribers.length === 0 && reply !== undefined) deliver(reply, new Uint8Array(0), undefined, true)
  }

  const drainQueue = () => {
    const batch = waiting
    waiting = []
    for (const { subject, data, options } of batch) deliver(subject, data, options, false)
  }

  const remove = (list: Subscriber[], subscriber: Subscriber) => {
    const index = list.indexOf(subscriber)
    if (index >= 0) list.splice(index, 1)
  }

  const bus: Bus = {
    publish(subject, data, options) {
      if (!open) throw new ServiceError('unavailable', 'The message bus is closed.')
      const copied = Buffer.concat(piecesOf(data))
      if (copied.length > maxMessageBytes) throw new RangeError(`a message has at most ${maxMessageBytes} bytes`)
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
      const isPattern = subject.includes('*') || subject.endsWith('>')
      const subscriber: Subscriber = {
        matches: isPattern ? createSubjectMatcher(subject) : () => true,
        onMessage,
        queue: options?.queue,
        active: true,
      }
      const list = isPattern ? patterns : (exact.get(subject) ?? [])
      if (!isPattern) exact.set(subject, list)
      list.push(subscriber)
      const leave = () => {
        remove(list, subscriber)
        if (!isPattern && list.length === 0 && exact.get(subject) === list) exact.delete(subject)
      }
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
    async close() {
      await bus.flush()
      open = false
    },
  }
  return bus
}

const lowerCaseNames = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
