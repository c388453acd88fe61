/**
 * - There is at most one connection that commands go to; without one they fail at once.
 * - A connection that is lost, or that left a command unanswered for a second, is thrown away and a new one is sought,
 *   for ever. TCP alone would wait for a vanished peer for many minutes.
 * - A command that failed may have been carried out all the same.
 * - The incarnation is asked for on every new connection, before anything else: a connection leads to one process for
 *   as long as it lives. One that has become a replica refuses to write and is left, so that its next reign is noticed.
 * - It is asked for again with every heartbeat: a server may have been a replica while nobody wrote, and one that gets its
 *   first replica begins another history too. So all who use a server agree on its incarnation before long.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '@parlance/contracts'
import { createClient, ErrorReply } from '@redis/client'
import { messageOf } from './error-message.js'
import { createRedisScripts } from './redis-scripts.js'
import type { TtlStore } from './ttl-store.js'

const commandTimeoutMs = 1_000
const connectTimeoutMs = 2_000
const startTimeoutMs = 5_000
const retryMs = { first: 50, most: 1_000 }
const heartbeatMs = 1_000

export type RedisConnection = ReturnType<typeof createConnection>

const createConnection = (url: string) =>
  createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    // A signal for each command is a fifth of the work; `bounded` limits them as well.
    commandOptions: { timeout: 0 },
    socket: { reconnectStrategy: false, connectTimeout: connectTimeoutMs },
  })

/** A timer that comes so late tells that this process stood still: what was answered meanwhile has yet to be read. */
const heldUpMs = 20
const moreTimeMs = 250

const bounded = <T>(work: Promise<T>, limitMs: number): Promise<T> =>
  new Promise((resolve, reject) => {
    let dueMs = performance.now() + limitMs
    const giveUp = () => {
      const nowMs = performance.now()
      if (nowMs - dueMs < heldUpMs) return reject(new Error(`Redis gave no answer for ${limitMs} ms`))
      dueMs = nowMs + moreTimeMs
      timer = setTimeout(giveUp, moreTimeMs)
    }
    let timer = setTimeout(giveUp, limitMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })

const discard = (connection: RedisConnection): void => {
  if (connection.isOpen) connection.destroy()
}

interface Opened {
  readonly connection: RedisConnection
  readonly incarnation: string
}

/** The id of the process, and that of its history of writes, which changes when a replica becomes a master. */
const readIncarnation = async (connection: RedisConnection): Promise<string> => {
  const info = `${await connection.info('server')}\n${await connection.info('replication')}`
  const idOf = (name: string) => new RegExp(`^${name}:([0-9a-f]+)`, 'm').exec(info)?.[1] ?? 'unknown'
  return `${idOf('run_id')}:${idOf('master_replid')}`
}

const open = async (url: string): Promise<Opened> => {
  const connection = createConnection(url)
  // Without a listener the first lost connection would end the process; what was lost is told by who waits for it.
  connection.on('error', () => {})
  try {
    await bounded(connection.connect(), connectTimeoutMs)
    return { connection, incarnation: await bounded(readIncarnation(connection), commandTimeoutMs) }
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
  let current: Opened | undefined
  let incarnation = ''
  let lastFailure: unknown

  const seek = async (): Promise<Opened> => {
    for (let waitMs = retryMs.first; ; waitMs = Math.min(waitMs * 2, retryMs.most)) {
      try {
        return await open(url)
      } catch (error) {
        lastFailure = error
      }
      await delay(waitMs, undefined, { signal: closing.signal })
    }
  }

  const use = (opened: Opened): void => {
    current = opened
    incarnation = opened.incarnation
    opened.connection.on('error', () => lose(opened))
    opened.connection.on('end', () => lose(opened))
  }
  const lose = (lost: Opened): void => {
    if (current !== lost || closing.signal.aborted) return
    current = undefined
    discard(lost.connection)
    onStateChange?.(false)
    seek().then(
      (found) => {
        if (closing.signal.aborted) return discard(found.connection)
        use(found)
        onStateChange?.(true)
      },
      () => {
        // Closed while seeking.
      },
    )
  }

  const send = async <T>(command: (connection: RedisConnection) => Promise<T>): Promise<T> => {
    const used = current
    if (used === undefined) throw unavailable()
    try {
      return await bounded(command(used.connection), commandTimeoutMs)
    } catch (error) {
      // Other refusals are answers: the connection is fine.
      if (!(error instanceof ErrorReply) || error.message.startsWith('READONLY')) lose(used)
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
    const used = current
    if (used === undefined) return
    send(readIncarnation).then(
      (now) => now !== used.incarnation && lose(used),
      () => {
        // It is lost already.
      },
    )
  }, heartbeatMs)
  heartbeat.unref()

  const expiring = (ttlMs: number) => ({ expiration: { type: 'PX', value: ttlMs } }) as const
  const scripts = createRedisScripts()
  return {
    get: (key) => send((redis) => redis.get(key)),
    async set(key, value, ttlMs) {
      await send((redis) => redis.set(key, value, expiring(ttlMs)))
    },
    setIfAbsent: async (key, value, ttlMs) =>
      (await send((redis) => redis.set(key, value, { ...expiring(ttlMs), condition: 'NX' }))) !== null,
    take: (key) => send((redis) => redis.getDel(key)),
    async delete(key) {
      await send((redis) => redis.del(key))
    },
    run: (script, keys, args = []) => send((redis) => scripts.run(redis, script, keys, args)),
    incarnation: () => incarnation,
    connected: () => current !== undefined,
    async close() {
      clearInterval(heartbeat)
      closing.abort()
      if (current !== undefined) discard(current.connection)
      current = undefined
    },
  }
}
