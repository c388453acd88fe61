import { AsyncResource } from 'node:async_hooks'
import { ServiceError } from '@parlance/contracts'
import {
  type Bus,
  callSubscriber,
  checkHeaders,
  maxMessageBytes,
  type PublishOptions,
  piecesOf,
  type Subscription,
} from './bus.js'
import { createSubscribers, type Subscriber } from './subscribers.js'
import type { CallTracing } from './telemetry.js'

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
