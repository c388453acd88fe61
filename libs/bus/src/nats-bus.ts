import type { Msg, MsgHdrs } from '@nats-io/transport-node'
import { connect, headers as createHeaders, createInbox, Match } from '@nats-io/transport-node'
import { ServiceError } from '@parlance/contracts'
import type { Bus, Headers, Message, PublishOptions } from './bus.js'
import { maxMessageBytes } from './bus.js'

export interface NatsBusOptions {
  /** One address or several, comma separated, e.g. `nats://user:password@nats:4222`. */
  url: string
  /** How this connection is named in the server's own listings. */
  name: string
  onStateChange?: (connected: boolean) => void
}

/**
 * A bus over NATS. Rejects with `ServiceError('unavailable')` when no server answers within five seconds; once connected
 * it reconnects for as long as it lives, and refuses to publish meanwhile, because NATS would drop the message in silence.
 */
export const connectNatsBus = async ({ url, name, onStateChange }: NatsBusOptions): Promise<Bus> => {
  const connection = await connect({
    servers: url.split(',').map((server) => server.trim()),
    name,
    timeout: 5_000,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 200,
    reconnectJitter: 100,
    // A server that hangs without closing its socket is given up after two unanswered pings.
    pingInterval: 5_000,
    maxPingOut: 2,
    noAsyncTraces: true,
  }).catch((cause) => {
    throw new ServiceError('unavailable', `NATS does not answer at ${withoutPassword(url)}. Is it running?`, { cause })
  })

  let connected = true
  const watch = async () => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect' || status.type === 'reconnect') {
        connected = status.type === 'reconnect'
        onStateChange?.(connected)
      }
    }
    connected = false
  }
  void watch()

  return {
    publish(subject, data, options) {
      if (!connected) throw new ServiceError('unavailable', 'The message bus cannot be reached. Try again.')
      if (data.length > maxMessageBytes) throw new RangeError(`a message has at most ${maxMessageBytes} bytes`)
      connection.publish(subject, data, options && natsOptions(options))
    },

    subscribe(subject, onMessage, options) {
      const subscription = connection.subscribe(subject, {
        ...(options?.queue === undefined ? {} : { queue: options.queue }),
        callback: (error, message) => {
          if (!error) onMessage(received(message))
        },
      })
      return {
        unsubscribe: () => subscription.unsubscribe(),
        drain: () => (subscription.isClosed() ? Promise.resolve() : subscription.drain()),
      }
    },

    inbox: () => createInbox(),
    flush: () => connection.flush(),
    connected: () => connected,
    async close() {
      if (connected) await connection.flush().catch(() => undefined)
      await connection.close()
    },
  }
}

const natsOptions = ({ reply, headers }: PublishOptions) => ({
  ...(reply === undefined ? {} : { reply }),
  ...(headers === undefined ? {} : { headers: natsHeaders(headers) }),
})

const natsHeaders = (headers: Headers): MsgHdrs => {
  const encoded = createHeaders()
  for (const name in headers) encoded.set(name, headers[name]!, Match.Exact)
  return encoded
}

const received = (message: Msg): Message => {
  const headers = message.headers
  return {
    subject: message.subject,
    data: message.data,
    reply: message.reply,
    headers: headers && plainHeaders(headers),
    noResponders: headers !== undefined && headers.code === 503 && message.data.length === 0,
  }
}

const plainHeaders = (headers: MsgHdrs): Headers => {
  const plain: Record<string, string> = {}
  for (const name of headers.keys()) plain[name.toLowerCase()] = headers.get(name)
  return plain
}

const withoutPassword = (url: string) => url.replace(/\/\/[^@/]*@/g, '//')
