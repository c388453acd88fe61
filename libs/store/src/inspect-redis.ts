import { performance } from 'node:perf_hooks'

/** The state of a Redis server, as its operator configured it. */
export interface RedisState {
  /** Such as `7.2.4`. */
  readonly version: string
  /** `master`, or `slave` for a replica. */
  readonly role: string
  readonly appendOnly: boolean
  /** When it saves all of its data, as in its configuration; empty for never, undefined when unknown. */
  readonly saveRules: string | undefined
  /** Whether the last write of the append-only file, and the last save, succeeded. */
  readonly persists: boolean
  /** Such as `noeviction`. */
  readonly evictionPolicy: string
  /** Its clock, in ms since 1970, and the time of this process at that moment. */
  readonly clockMs: number
  readonly ownClockMs: number
}

const connectTimeoutMs = 3_000

/** The values of `INFO`, by their names. */
const parseInfo = (info: string): ReadonlyMap<string, string> =>
  new Map([...info.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name = '', value = '']) => [name, value]))

/** Reads the state of a Redis server. Rejects when it cannot be reached within three seconds, or refuses the credentials. */
export const inspectRedis = async (url: string): Promise<RedisState> => {
  // Loading the client takes a tenth of a second, which a process without Redis does not spend.
  const { createClient } = await import('redis')
  const redis = createClient({
    url,
    RESP: 2,
    socket: { connectTimeout: connectTimeoutMs, socketTimeout: connectTimeoutMs, reconnectStrategy: false },
  })
  // The calls below report errors.
  redis.on('error', () => {})
  try {
    await redis.connect()
    const info = parseInfo(await redis.info())
    // Servers of providers do not show their configuration.
    const { save: saveRules } = await redis.configGet('save').catch((): { save?: string } => ({}))
    const askedMs = performance.now()
    const [seconds = '', micros = ''] = await redis.sendCommand<string[]>(['TIME'])
    const roundTripMs = performance.now() - askedMs
    return {
      version: info.get('redis_version') ?? '0',
      role: info.get('role') ?? 'master',
      appendOnly: info.get('aof_enabled') === '1',
      saveRules,
      persists: [info.get('aof_last_write_status'), info.get('rdb_last_bgsave_status')].every(
        (status) => status === undefined || status === 'ok',
      ),
      evictionPolicy: info.get('maxmemory_policy') ?? 'noeviction',
      clockMs: Number(seconds) * 1000 + Number(micros) / 1000,
      ownClockMs: Date.now() - roundTripMs / 2,
    }
  } finally {
    redis.destroy()
  }
}
