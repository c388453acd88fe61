/**
 * A bus over NATS, by a connection of our own to its server: hot paths read, copy and send each message once.
 *
 * - What is published leaves with this turn of the event loop, in order, together with subscriptions.
 * - A lost connection is made again for as long as the bus lives, with every subscription. Meanwhile publishing is
 *   refused: what was on its way may be lost, and nobody would ever know of more.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '@parlance/contracts'
import { type Bus, piecesOf, type Subscription, type UnnamedMessage } from './bus.js'
import { createServerPool } from './nats/address.js'
import { decodeHeaders, encodeHeaders } from './nats/headers.js'
import { type Link, openLink } from './nats/link.js'
import type { ServerOperations } from './nats/operations.js'
import { createOutbox } from './nats/outbox.js'
import { lastNumber, type SubjectBytes, subjectText } from './nats/subject-bytes.js'

export interface NatsBusOptions {
  /** One address or several, comma separated, e.g. `nats://user:password@nats:4222`; `tls://` where it must be secure. */
  url: string
  /** How this connection is named in the server's own listings. */
  name: string
  onStateChange?: (connected: boolean) => void
  /** The server refuses something, in its own words: such as a subject that it does not permit. */
  onRefused?: (reason: string) => void
}

interface NatsSubscription {
  readonly subject: string
  readonly queue: string | undefined
  readonly onMessage: (heard: SubjectBytes, message: UnnamedMessage) => void
}

const againAfterMs = { least: 200, more: 100 }
const printable = /^[\x21-\x7e]+$/

/** Rejects with `ServiceError('unavailable')` when no server takes us within five seconds. */
export const connectNatsBus = async ({ url, name, onStateChange, onRefused }: NatsBusOptions): Promise<Bus> => {
  const pool = createServerPool(url)
  const closing = new AbortController()
  const subscriptions = new Map<number, NatsSubscription>()
  let link: Link | undefined
  let lastId = 0

  const outbox = createOutbox((bytes) => link?.write(bytes) ?? true)

  const onMessage: ServerOperations['message'] = (sid, subject, reply, rawHeaders, data) => {
    const subscription = subscriptions.get(sid)
    if (subscription === undefined) return
    const { headers, status } = rawHeaders === undefined ? bare : decodeHeaders(rawHeaders)
    try {
      subscription.onMessage(subject, { data, reply, headers, noResponders: status === 503 && data.length === 0 })
    } catch (error) {
      // It is the subscriber's own, and keeps nobody else from his messages.
      process.nextTick(() => {
        throw error
      })
    }
  }

  const subscribeAt = (id: number, { subject, queue }: NatsSubscription) =>
    outbox.line(queue === undefined ? `SUB ${subject} ${id}` : `SUB ${subject} ${queue} ${id}`)

  const listen = (subscription: NatsSubscription): Subscription => {
    const id = ++lastId
    subscriptions.set(id, subscription)
    if (link !== undefined) subscribeAt(id, subscription)
    const stop = () => {
      if (link !== undefined && subscriptions.has(id)) outbox.line(`UNSUB ${id}`)
    }
    return {
      unsubscribe() {
        stop()
        subscriptions.delete(id)
      },
      async drain() {
        stop()
        // Without a connection nothing is on its way.
        await flush().catch(() => undefined)
        subscriptions.delete(id)
      },
    }
  }

  const connect = async (): Promise<void> => {
    link = await openLink({
      ...{ server: pool.next(), name, signal: closing.signal, onMessage, onLost },
      onAddresses: pool.learn,
      onRefused: (reason) => onRefused?.(reason),
    })
    outbox.drop()
    for (const [id, subscription] of subscriptions) subscribeAt(id, subscription)
    outbox.flush()
  }

  const reconnect = async (): Promise<void> => {
    while (link === undefined && !closing.signal.aborted) {
      await delay(againAfterMs.least + Math.random() * againAfterMs.more, undefined, closing).catch(() => undefined)
      if (!closing.signal.aborted) await connect().catch(() => undefined)
    }
    if (link !== undefined) onStateChange?.(true)
  }
  const onLost = () => {
    link = undefined
    if (closing.signal.aborted) return
    onStateChange?.(false)
    void reconnect()
  }

  const flush = async (): Promise<void> => {
    if (link === undefined) throw unreachable()
    outbox.flush()
    await link.roundTrip()
  }

  for (let left = pool.named; link === undefined; ) {
    left -= 1
    await connect().catch((cause: Error) => {
      if (left > 0) return
      const detail = `NATS cannot be reached at ${withoutPassword(url)}: ${reasonOf(cause)}`
      throw new ServiceError('unavailable', detail, { cause })
    })
  }

  return {
    publish(subject, data, { reply, headers } = {}) {
      if (link === undefined) throw unreachable()
      outbox.publish(checked(subject), reply && checked(reply), headers && encodeHeaders(headers), piecesOf(data))
    },

    subscribe: (subject, onMessage, { queue } = {}) =>
      listen({
        subject: checked(subject),
        queue: queue && checked(queue),
        onMessage: (heard, { data, reply, headers, noResponders }) =>
          onMessage({ subject: subjectText(heard), data, reply, headers, noResponders }),
      }),
    subscribeNumbered: (prefix, onMessage) =>
      listen({
        subject: checked(`${prefix}.*`),
        queue: undefined,
        onMessage: (heard, message) => onMessage(lastNumber(heard), message),
      }),

    inbox: () => `_INBOX.${randomBytes(12).toString('hex')}`,
    flush,
    connected: () => link !== undefined,
    async close() {
      await flush().catch(() => undefined)
      closing.abort(closed)
      subscriptions.clear()
    },
  }
}

/** Of a message without headers. */
const bare = { headers: undefined, status: undefined }

/** Made once: an abort without a reason makes one, with its stack. */
const closed = new Error('The bus is closed.')

const unreachable = () => new ServiceError('unavailable', 'The message bus cannot be reached. Try again.')

/** What goes into a line of the protocol as it is. */
const checked = (token: string): string => {
  if (!printable.test(token)) throw new RangeError('a subject is ASCII without spaces')
  return token
}

/** A name with several addresses fails with an error for each, and says nothing itself. */
const reasonOf = (error: Error): string =>
  error instanceof AggregateError ? error.errors.map(reasonOf).join(', ') : error.message

const withoutPassword = (url: string) => url.replace(/\/\/[^@/]*@/g, '//')
