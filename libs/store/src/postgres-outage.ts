import type { StoreLogger } from './store-logger.js'

/**
 * Logs one line when a server cannot be reached, and one when it can be reached again, however many statements fail
 * meanwhile.
 */
export interface PostgresOutage {
  /** A statement has failed because of the server. */
  failed(err: unknown): void
  succeeded(): void
}

/** A server that stops or starts still executes some statements. It counts as available when none has failed for this time. */
const backAfterMs = 5_000

/** `now` is a monotonic clock in ms. */
export const createPostgresOutage = (logger?: StoreLogger, now = () => performance.now()): PostgresOutage => {
  let count = 0
  let beganMs = 0
  let lastFailureMs = 0
  return {
    failed(err) {
      lastFailureMs = now()
      count += 1
      if (count > 1) return
      beganMs = lastFailureMs
      logger?.error({ component: 'postgres', err }, 'Postgres cannot be reached')
    },
    succeeded() {
      if (count === 0) return
      const nowMs = now()
      if (nowMs - lastFailureMs < backAfterMs) return
      const durationMs = Math.round(nowMs - beganMs)
      logger?.warn({ component: 'postgres', count, durationMs }, 'Postgres can be reached again')
      count = 0
    },
  }
}
