/**
 * - There is at most one connection that commands go to; without one they fail at once.
 * - A connection that is lost, or that left a command unanswered for a second, is thrown away and a new one is sought,
 *   for ever. TCP alone would wait for a vanished peer for many minutes.
 * - A command that failed may have been carried out all the same.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '@parlance/contracts'
import { createClient, ErrorReply } from '@redis/client'
import { messageOf } from './error-message.js'
import type { TtlStore } from './ttl-store.js'

const commandTimeoutMs = 1_000
const connectTimeoutMs = 2_000
const startTimeoutMs = 5_000
const retryMs = { first: 50, most: 1_000 }
const heartbeatMs = 5_000

type Connection = ReturnType<typeof createConnection>

const createConnection = (url: string) =>
  createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    socket: { reconnectStrategy: false, connectTimeout: connectTimeoutMs },
  })

const bounded = <T>(work: Promise<T>, limitMs: number): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Redis gave no answer for ${limitMs} ms`)), limitMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })

const discard = (connection: Connection): void => {
  if (connection.isOpen) connection.destroy()
}

const open = async (url: string): Promise<Connection> => {
  const connection = createConnection(url)
  // Without a listener the first lost connection would end the process; what was lost is told by who waits for it.
  connection.on('error', () => {})
  try {
    await bounded(connection.connect(), connectTimeoutMs)
    return connection
  } catch (error) {
    discard(connection)
    throw error
  }
}

const unavailable = (cause?: unknown) =>
  new ServiceError('unavailable', 'A store we depend on cannot be reached. Try again.', { cause })

/** Where Redis is, without the password. */
const place = (url: string): string => {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}

export interface RedisTtlStoreOptions {
  url: string
  /** Told of each change, not of the first connection. */
  onStateChange?: (connected: boolean) => void
}

/** Resolves once connected. Rejects after five seconds of trying, in one line that names the place. */
export const connectRedisTtlStore = async ({ url, onStateChange }: RedisTtlStoreOptions): Promise<TtlStore> => {
  if (!URL.canParse(url)) throw new Error('The address of Redis is not a URL such as redis://127.0.0.1:6379.')
  const closing = new AbortController()
  let connection: Connection | undefined
  let lastFailure: unknown

  const seek = async (): Promise<Connection> => {
    for (let waitMs = retryMs.first; ; waitMs = Math.min(waitMs * 2, retryMs.most)) {
      try {
        return await open(url)
      } catch (error) {
        lastFailure = error
      }
      await delay(waitMs, undefined, { signal: closing.signal })
    }
  }

  const use = (opened: Connection): void => {
    connection = opened
    opened.on('error', () => lose(opened))
    opened.on('end', () => lose(opened))
  }
  const lose = (lost: Connection): void => {
    if (connection !== lost || closing.signal.aborted) return
    connection = undefined
    discard(lost)
    onStateChange?.(false)
    seek().then(
      (found) => {
        if (closing.signal.aborted) return discard(found)
        use(found)
        onStateChange?.(true)
      },
      () => {
        // Closed while seeking.
      },
    )
  }

  const run = async <T>(command: (connection: Connection) => Promise<T>): Promise<T> => {
    const current = connection
    if (current === undefined) throw unavailable()
    try {
      return await bounded(command(current), commandTimeoutMs)
    } catch (error) {
      // A refusal is an answer: the connection is fine.
      if (!(error instanceof ErrorReply)) lose(current)
      throw unavailable(error)
    }
  }

  const giveUp = setTimeout(() => closing.abort(), startTimeoutMs)
  try {
    use(await seek())
  } catch {
    throw new Error(`Redis at ${place(url)} cannot be reached: ${messageOf(lastFailure)}`)
  } finally {
    clearTimeout(giveUp)
  }
  const heartbeat = setInterval(() => {
    if (connection !== undefined) run((redis) => redis.ping()).catch(() => {})
  }, heartbeatMs)
  heartbeat.unref()

  const expiring = (ttlMs: number) => ({ expiration: { type: 'PX', value: ttlMs } }) as const
  return {
    get: (key) => run((redis) => redis.get(key)),
    async set(key, value, ttlMs) {
      await run((redis) => redis.set(key, value, expiring(ttlMs)))
    },
    setIfAbsent: async (key, value, ttlMs) =>
      (await run((redis) => redis.set(key, value, { ...expiring(ttlMs), condition: 'NX' }))) !== null,
    take: (key) => run((redis) => redis.getDel(key)),
    async delete(key) {
      await run((redis) => redis.del(key))
    },
    connected: () => connection !== undefined,
    async close() {
      clearInterval(heartbeat)
      closing.abort()
      if (connection !== undefined) discard(connection)
      connection = undefined
    },
  }
}
