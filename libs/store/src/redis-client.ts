import { backoffMs } from '@parlance/async'
import { createClient } from 'redis'

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
