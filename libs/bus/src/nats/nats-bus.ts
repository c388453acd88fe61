/**
 * The bus over NATS, by the official client.
 *
 * - A lost connection is re-established for as long as the bus is open, with every subscription. Meanwhile `publish`
 *   throws. Messages in flight when the connection is lost may be lost.
 * - The client flushes once per microtask; `publish-batch.ts` makes that once per tick.
 */
import {
  connect,
  createInbox,
  errors,
  type Msg,
  type NatsConnection,
  type NodeConnectionOptions,
} from '@nats-io/transport-node'
import { ServiceError } from '@parlance/contracts'
import {
  type Bus,
  callSubscriber,
  type DeniedOperation,
  type Headers,
  type Message,
  maxMessageBytes,
  piecesOf,
} from '../bus.js'
import type { CallTracing } from '../telemetry.js'
import { createAuthenticator, type NatsCredentials } from './credentials.js'
import { createPublishBatch } from './publish-batch.js'
import { createTlsOptions, type NatsTlsFiles } from './tls.js'

const noRespondersStatus = 503

/** A message of the NATS client as the bus port defines it. Subject and headers are decoded when they are read. */
class ReceivedMessage implements Message {
  readonly #message: Msg

  constructor(message: Msg) {
    this.#message = message
  }

  get subject(): string {
    return this.#message.subject
  }

  get data(): Uint8Array {
    return this.#message.data
  }

  get reply(): string | undefined {
    return this.#message.reply || undefined
  }

  get headers(): Headers | undefined {
    const { headers } = this.#message
    if (headers === undefined) return undefined
    const byName: Record<string, string> = {}
    for (const [name, [value = '']] of headers) byName[name.toLowerCase()] = value
    return byName
  }

  get noResponders(): boolean {
    return this.data.length === 0 && this.#message.headers?.code === noRespondersStatus
  }
}

/** How to connect to NATS, and where to report the state of the connection. */
export interface NatsBusOptions {
  /** One address or several, separated by commas, e.g. `nats://user:password@nats:4222`; `tls://` requires TLS. */
  readonly url: string
  /** The name of this connection in the server's listings. */
  readonly name: string
  /** Takes precedence over credentials in the address. */
  readonly credentials?: NatsCredentials | undefined
  /** Requires TLS. */
  readonly tls?: NatsTlsFiles | undefined
  /** The first tokens of every inbox, for servers that give each client an inbox prefix of its own. Default `_INBOX`. */
  readonly inboxPrefix?: string | undefined
  /** Records the calls that this process makes. */
  readonly tracing?: CallTracing | undefined
  readonly onStateChange?: (connected: boolean) => void
  /** The server refused an operation. */
  readonly onRefused?: (refusal: NatsRefusal) => void
}

/** An operation that the server refused after the connection was made. */
export interface NatsRefusal {
  /** The text of the server. */
  readonly reason: string
  /** The operation that the permissions of this client do not allow; undefined for refusals of another kind. */
  readonly denied?: DeniedOperation
}

const connectTimeoutMs = 5_000
const pingIntervalMs = 5_000
const maxUnansweredPings = 2
const reconnectDelayMs = 200
const reconnectJitterMs = 100
/** Bytes of `max_payload` that are left for the headers of a message of `maxMessageBytes`. */
const headerBytes = 64 * 1024

/** Rejects with `ServiceError('unavailable')` when no server accepts the connection within five seconds. */
export const connectNatsBus = async (options: NatsBusOptions): Promise<Bus> => {
  const connection = await openConnection(options)
  const batch = createPublishBatch(connection)
  const reconnectListeners = new Set<() => void>()
  const deniedListeners: ((denied: DeniedOperation) => void)[] = []
  let connected = true

  const onStatus = async () => {
    for await (const status of connection.status()) {
      if (status.type === 'error') onRefused(refusalOf(status.error))
      if (status.type === 'disconnect' || status.type === 'close') setConnected(false)
      if (status.type === 'reconnect') setConnected(true)
    }
  }
  const onRefused = (refusal: NatsRefusal) => {
    options.onRefused?.(refusal)
    if (refusal.denied) for (const listener of deniedListeners) listener(refusal.denied)
  }
  const setConnected = (now: boolean) => {
    if (now === connected) return
    connected = now
    // The client discards its buffered messages when a connection is lost; so does the batch.
    batch.clear()
    if (connection.isClosed()) return
    options.onStateChange?.(now)
    if (now) for (const listener of reconnectListeners) listener()
  }
  void onStatus()

  const flush = async () => {
    if (!connected) throw unreachable()
    batch.flush()
    await connection.flush().catch(() => {
      throw unreachable()
    })
  }

  return {
    system: 'nats',
    tracing: options.tracing,

    publish(subject, data, publishOptions = {}) {
      if (!connected) throw unreachable()
      const bytes = Buffer.concat(piecesOf(data))
      if (bytes.length > maxMessageBytes) throw new RangeError(`a message must have at most ${maxMessageBytes} bytes`)
      batch.add(checked(subject), bytes, publishOptions)
    },

    subscribe(subject, onMessage, { queue } = {}) {
      // A message that was published before reaches the server before the subscription does.
      batch.flush()
      const subscription = connection.subscribe(checked(subject), {
        ...(queue && { queue: checked(queue) }),
        callback(error, message) {
          // `onRefused` reports errors.
          if (error !== null) return
          // An exception here would end the client's read loop.
          callSubscriber(onMessage, new ReceivedMessage(message))
        },
      })
      return {
        unsubscribe: () => subscription.unsubscribe(),
        async drain() {
          batch.flush()
          // A closed connection delivers nothing more.
          await subscription.drain().catch(() => undefined)
        },
      }
    },

    inbox: () => createInbox(options.inboxPrefix),
    flush,
    connected: () => connected,
    onReconnect(listener) {
      reconnectListeners.add(listener)
      return () => void reconnectListeners.delete(listener)
    },
    onDenied: (listener) => void deniedListeners.push(listener),
    async close() {
      await flush().catch(() => undefined)
      await connection.close()
      connected = false
    },
  }
}

/** Rejects with `ServiceError('unavailable')`. */
export const openConnection = async (options: NatsBusOptions): Promise<NatsConnection> => {
  try {
    const connection = await connect(connectionOptions(options))
    const { max_payload: maxPayload = 0 } = connection.info ?? {}
    if (maxPayload >= maxMessageBytes + headerBytes) return connection
    await connection.close()
    throw new Error(`its max_payload is ${maxPayload}, but ${maxMessageBytes + headerBytes} bytes are needed`)
  } catch (cause) {
    const detail = `NATS cannot be reached at ${withoutCredentials(options.url)}: ${reasonOf(cause)}`
    throw new ServiceError('unavailable', detail, { cause })
  }
}

const connectionOptions = ({ url, name, credentials, tls, inboxPrefix }: NatsBusOptions): NodeConnectionOptions => {
  const addresses = parseServerAddresses(url)
  const presented = credentials ?? addresses.credentials
  return {
    servers: [...addresses.servers],
    name,
    timeout: connectTimeoutMs,
    pingInterval: pingIntervalMs,
    maxPingOut: maxUnansweredPings,
    maxReconnectAttempts: -1,
    reconnectTimeWait: reconnectDelayMs,
    reconnectJitter: reconnectJitterMs,
    reconnectJitterTLS: reconnectJitterMs,
    // Credentials may be rotated on the server before they are rotated here.
    ignoreAuthErrorAbort: true,
    noAsyncTraces: true,
    ...(inboxPrefix !== undefined && { inboxPrefix }),
    ...(presented && { authenticator: createAuthenticator(presented) }),
    ...((tls || addresses.secure) && { tls: createTlsOptions(tls ?? {}) }),
  }
}

export const refusalOf = (error: Error): NatsRefusal =>
  error instanceof errors.PermissionViolationError
    ? { reason: error.message, denied: { operation: error.operation, subject: error.subject } }
    : { reason: error.message }

const reasonOf = (cause: unknown): string => {
  const message = cause instanceof Error ? cause.message : String(cause)
  return message === 'unexpected response from server' ? 'the server there is not NATS' : message
}

const unreachable = () => new ServiceError('unavailable', 'The message bus cannot be reached. Try again.')

const printable = /^[\x21-\x7e]+$/

const checked = (token: string): string => {
  if (!printable.test(token)) throw new RangeError('a subject must be ASCII without spaces')
  return token
}

interface ServerAddresses {
  /** `host:port` of every server, as the NATS client takes it. */
  readonly servers: readonly string[]
  /** The credentials that the addresses contain; undefined if none does. */
  readonly credentials: NatsCredentials | undefined
  /** Whether an address asks for TLS by `tls://`; then every server must offer it. */
  readonly secure: boolean
}

const defaultPort = '4222'

/**
 * Reads one address or several, separated by commas: `nats://` or `tls://`, then `user:password@`, `token@` or neither,
 * then the host and an optional port. The client presents the same credentials to every server of a cluster, so the
 * first address that has any decides.
 *
 * @throws TypeError when an address is not a URL.
 */
const parseServerAddresses = (url: string): ServerAddresses => {
  const addresses = url.split(',').map((address) => new URL(address.trim()))
  return {
    servers: addresses.map(({ hostname, port }) => `${hostname}:${port || defaultPort}`),
    credentials: addresses.map(credentialsIn).find((credentials) => credentials !== undefined),
    secure: addresses.some(({ protocol }) => protocol === 'tls:'),
  }
}

/** The addresses without user names, passwords and tokens, for messages. */
const withoutCredentials = (url: string): string => url.replace(/\/\/[^@/,]*@/g, '//')

const credentialsIn = ({ username, password }: URL): NatsCredentials | undefined => {
  const user = decodeURIComponent(username)
  if (password !== '') return { user, password: decodeURIComponent(password) }
  return user === '' ? undefined : { token: user }
}
