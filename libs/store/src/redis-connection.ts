/**
 * - The client re-establishes a lost connection for as long as the store is open. Without one, commands fail at once.
 * - A connection on which a command got no reply within three seconds is replaced: TCP would wait many minutes for a peer that has
 *   vanished. A server that has too little CPU, as while many pods start, may take more than a second.
 * - A command that failed may have been executed.
 * - The epoch is read on every new connection before any other command, and again with every heartbeat. A server that has
 *   become a replica refuses writes; its connection is replaced, so that its next epoch is noticed. A server may also have
 *   been a replica while no command wrote, and its history changes when it gets its first replica.
 */
import { backoffMs, withTimeout } from '@parlance/async'
import { ServiceError } from '@parlance/contracts'
import { createClient, ErrorReply } from 'redis'
import { messageOf, UnreachableError } from './store-errors.js'

const connectTimeoutMs = 2_000
/** Ends a handshake that gets no reply. A connection in use has a heartbeat more often. */
const idleTimeoutMs = 10_000
const backoff = { firstMs: 50, maxMs: 1_000 }

export type RedisClient = ReturnType<typeof createRedisClient>

/** A client that is not connected yet. */
export const createRedisClient = (url: string) =>
  createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    // The client creates an abort signal per command for its own limit. `replyWithin` costs less.
    commandOptions: { timeout: 0 },
    socket: {
      connectTimeout: connectTimeoutMs,
      socketTimeout: idleTimeoutMs,
      reconnectStrategy: (retries) => backoffMs(backoff, retries + 1),
    },
  })

const commandTimeoutMs = 3_000
const startTimeoutMs = 5_000
const heartbeatMs = 1_000

/** A timer that is this late shows that this process was stalled, so replies may have arrived that are not read yet. */
const stalledMs = 20
const unreadRepliesMs = 250

const replyWithin = <Reply>(reply: Promise<Reply>, limitMs: number): Promise<Reply> => {
  const dueMs = performance.now() + limitMs
  const fail = () => {
    throw new Error(`Redis did not reply for ${limitMs} ms`)
  }
  return withTimeout(reply, limitMs, () => {
    const wasStalled = performance.now() - dueMs >= stalledMs
    return wasStalled ? replyWithin(reply, unreadRepliesMs) : fail()
  })
}

/** The id of the process, and that of its history of writes, which changes when a replica becomes a master. */
const readEpoch = async (redis: RedisClient): Promise<string> => {
  const info = `${await redis.info('server')}\n${await redis.info('replication')}`
  const idOf = (name: string) => new RegExp(`^${name}:([0-9a-f]+)`, 'm').exec(info)?.[1] ?? 'unknown'
  return `${idOf('run_id')}:${idOf('master_replid')}`
}

const unavailable = (cause?: unknown) =>
  new ServiceError('unavailable', 'A store we depend on cannot be reached. Try again.', { cause })

/** The address without the password. */
const withoutCredentials = (url: string): string => {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}

export interface RedisConnectionOptions {
  readonly url: string
  /** Called on every change after the first connection, with the error that ended it when it was lost. */
  readonly onStateChange?: ((connected: boolean, reason?: unknown) => void) | undefined
}

/** `starting` until the first connection, then `connected` or `disconnected` until it is `closed`. */
type State = 'starting' | 'connected' | 'disconnected' | 'closed'

export class RedisConnection {
  readonly #redis: RedisClient
  readonly #url: string
  readonly #onStateChange: RedisConnectionOptions['onStateChange']
  readonly #heartbeat: NodeJS.Timeout
  readonly #started: Promise<void>
  #onStarted = () => {}
  #state: State = 'starting'
  #epoch = ''
  #lastError: unknown

  private constructor({ url, onStateChange }: RedisConnectionOptions) {
    this.#url = url
    this.#onStateChange = onStateChange
    this.#started = new Promise((resolve) => {
      this.#onStarted = resolve
    })
    this.#redis = createRedisClient(url)
    this.#redis.on('error', (error) => this.#reconnect(error))
    this.#redis.on('ready', () => this.#onReady())
    this.#connect()
    this.#heartbeat = setInterval(() => {
      this.#beat().catch(() => {
        // `send` has replaced the connection.
      })
    }, heartbeatMs).unref()
  }

  /** Resolves once connected. Rejects with `UnreachableError` after five seconds, with one line that names the address. */
  static async open(options: RedisConnectionOptions): Promise<RedisConnection> {
    const connection = new RedisConnection(options)
    await connection.#untilConnected()
    return connection
  }

  /** The id of the server and of its history of writes, as of the last connection or heartbeat. */
  get epoch(): string {
    return this.#epoch
  }

  get isConnected(): boolean {
    return this.#state === 'connected'
  }

  /** Rejects with `unavailable` where the command got no reply or an error. The command may have been executed. */
  async send<Reply>(command: (redis: RedisClient) => Promise<Reply>): Promise<Reply> {
    if (!this.isConnected) throw unavailable()
    const connection = this.#redis.socketEpoch
    try {
      return await replyWithin(command(this.#redis), commandTimeoutMs)
    } catch (error) {
      // Any other error reply leaves the connection usable.
      const isLost = !(error instanceof ErrorReply) || error.message.startsWith('READONLY')
      if (isLost && connection === this.#redis.socketEpoch) this.#reconnect(error)
      throw unavailable(error)
    }
  }

  close(): void {
    this.#state = 'closed'
    clearInterval(this.#heartbeat)
    this.#redis.destroy()
  }

  #untilConnected(): Promise<void> {
    return withTimeout(this.#started, startTimeoutMs, () => {
      this.close()
      const reason = messageOf(this.#lastError)
      throw new UnreachableError(`Redis at ${withoutCredentials(this.#url)} cannot be reached: ${reason}`)
    })
  }

  #setState(now: 'connected' | 'disconnected'): void {
    if (this.#state === now || this.#state === 'closed') return
    if (this.#state === 'starting') {
      if (now === 'disconnected') return
      this.#onStarted()
    } else if (now === 'connected') {
      this.#onStateChange?.(true)
    } else {
      this.#onStateChange?.(false, this.#lastError)
    }
    this.#state = now
  }

  #connect(): void {
    this.#redis.connect().catch(() => {
      // The store was closed meanwhile. After any other failure the client tries again.
    })
  }

  /** The client itself reconnects when it has noticed the loss. */
  #reconnect(reason: unknown): void {
    this.#lastError = reason
    this.#setState('disconnected')
    if (!this.#redis.isReady || this.#state === 'closed') return
    this.#redis.destroy()
    this.#connect()
  }

  async #onReady(): Promise<void> {
    // The client completes an attempt that was in progress when it was destroyed.
    if (this.#state === 'closed') return this.#redis.destroy()
    try {
      this.#epoch = await replyWithin(readEpoch(this.#redis), commandTimeoutMs)
      this.#setState('connected')
    } catch (error) {
      this.#reconnect(error)
    }
  }

  async #beat(): Promise<void> {
    if (this.isConnected) this.#epoch = await this.send(readEpoch)
  }
}
