/**
 * - The client re-establishes a lost connection for as long as the store is open. Without one, commands fail at once.
 * - A connection on which a command got no reply within a second is replaced: TCP would wait many minutes for a peer
 *   that has vanished.
 * - A command that failed may have been executed.
 * - The epoch is read on every new connection before any other command, and again with every heartbeat. A server that has
 *   become a replica refuses writes; its connection is replaced, so that its next epoch is noticed. A server may also have
 *   been a replica while no command wrote, and its history changes when it gets its first replica.
 */
import { backoffMs, withTimeout } from '@parlance/async'
import { ServiceError } from '@parlance/contracts'
import { createClient, ErrorReply } from 'redis'
import { messageOf } from './error-message.js'
import { createRedisScripts } from './redis-scripts.js'
import { observeCommand, type StoreTelemetry } from './store-telemetry.js'
import type { TtlStore } from './ttl-store.js'
import { UnreachableError } from './unreachable-error.js'

const commandTimeoutMs = 1_000
const connectTimeoutMs = 2_000
const startTimeoutMs = 5_000
/** Ends a handshake that gets no reply. A connection in use is never so long without a heartbeat. */
const idleTimeoutMs = 10_000
const heartbeatMs = 1_000
const backoff = { firstMs: 50, maxMs: 1_000 }

export type RedisClient = ReturnType<typeof createRedisClient>

const createRedisClient = (url: string) =>
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

/** A timer that fires so much too late shows that this process was stalled: replies may have arrived that are not read yet. */
const stalledMs = 20
const unreadRepliesMs = 250

const replyWithin = <Reply>(reply: Promise<Reply>, limitMs: number): Promise<Reply> => {
  const dueMs = performance.now() + limitMs
  const fail = () => {
    throw new Error(`Redis gave no answer for ${limitMs} ms`)
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

export interface RedisTtlStoreOptions {
  url: string
  /** Called on every change after the first connection. */
  onStateChange?: (connected: boolean) => void
  telemetry?: StoreTelemetry
}

/** Resolves once connected. Rejects with `UnreachableError` after five seconds, with one line that names the address. */
export const connectRedisTtlStore = async ({
  url,
  onStateChange,
  telemetry = {},
}: RedisTtlStoreOptions): Promise<TtlStore> => {
  if (!URL.canParse(url)) throw new Error('The address of Redis is not a URL such as redis://127.0.0.1:6379.')
  const redis = createRedisClient(url)
  let state: 'starting' | 'connected' | 'disconnected' | 'closed' = 'starting'
  let epoch = ''
  let lastError: unknown
  let onStarted = () => {}
  const started = new Promise<void>((resolve) => {
    onStarted = resolve
  })

  const setState = (now: 'connected' | 'disconnected') => {
    if (state === now || state === 'closed') return
    if (state === 'starting') {
      if (now === 'disconnected') return
      onStarted()
    } else {
      onStateChange?.(now === 'connected')
    }
    state = now
  }
  /** The client itself reconnects where it has noticed the loss. */
  const reconnect = (reason: unknown) => {
    lastError = reason
    setState('disconnected')
    if (!redis.isReady || state === 'closed') return
    redis.destroy()
    connect()
  }
  const connect = () => {
    redis.connect().catch(() => {
      // The store was closed meanwhile: for any other reason the client tries again.
    })
  }
  const onReady = async () => {
    // The client completes an attempt that was under way when it was destroyed.
    if (state === 'closed') return redis.destroy()
    try {
      epoch = await replyWithin(readEpoch(redis), commandTimeoutMs)
      setState('connected')
    } catch (error) {
      reconnect(error)
    }
  }
  const close = () => {
    state = 'closed'
    clearInterval(heartbeat)
    redis.destroy()
  }

  const send = async <Reply>(command: (redis: RedisClient) => Promise<Reply>): Promise<Reply> => {
    if (state !== 'connected') throw unavailable()
    const connection = redis.socketEpoch
    try {
      return await replyWithin(command(redis), commandTimeoutMs)
    } catch (error) {
      // Any other error reply leaves the connection usable.
      const isLost = !(error instanceof ErrorReply) || error.message.startsWith('READONLY')
      if (isLost && connection === redis.socketEpoch) reconnect(error)
      throw unavailable(error)
    }
  }
  const beat = async () => {
    if (state === 'connected') epoch = await send(readEpoch)
  }

  const command = <Reply>(operation: string, run: (redis: RedisClient) => Promise<Reply>): Promise<Reply> =>
    observeCommand(telemetry, { system: 'redis', operation }, () => send(run))

  redis.on('error', reconnect)
  redis.on('ready', onReady)
  connect()
  const heartbeat = setInterval(() => {
    beat().catch(() => {
      // `send` has replaced the connection.
    })
  }, heartbeatMs).unref()
  await withTimeout(started, startTimeoutMs, () => {
    close()
    throw new UnreachableError(`Redis at ${withoutCredentials(url)} cannot be reached: ${messageOf(lastError)}`)
  })

  const expiring = (ttlMs: number) => ({ expiration: { type: 'PX', value: ttlMs } }) as const
  const scripts = createRedisScripts()
  return {
    get: (key) => command('GET', () => redis.get(key)),
    async set(key, value, ttlMs) {
      await command('SET', () => redis.set(key, value, expiring(ttlMs)))
    },
    setIfAbsent: async (key, value, ttlMs) =>
      (await command('SET', () => redis.set(key, value, { ...expiring(ttlMs), condition: 'NX' }))) !== null,
    take: (key) => command('GETDEL', () => redis.getDel(key)),
    async delete(key) {
      await command('DEL', () => redis.del(key))
    },
    run: (script, keys, args = []) => command('EVALSHA', () => scripts.run(redis, script, keys, args)),
    epoch: () => epoch,
    connected: () => state === 'connected',
    async close() {
      close()
    },
  }
}
