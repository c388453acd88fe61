import { type TtlStore, takePermit } from '@parlance/store'

/** The result for a request that was counted. */
export interface RateDecision {
  readonly allowed: boolean
  /** A flat array of headers for any response. */
  readonly headers: readonly string[]
  /** The time until a request will be allowed again. */
  readonly retryAfterSeconds: number
}

/**
 * Counts a request of a workspace or of a network. Resolves to undefined when there is no limit, or when the store cannot
 * be reached.
 */
export type LimitRate = (id: string) => Promise<RateDecision | undefined>

interface RateLimiterOptions {
  ttl: Pick<TtlStore, 'run'>
  /** Also the size of a burst; 0 for no limit. */
  perMinute: number
  /** The prefix of its counts in the store. */
  name?: string
}

const wholeSeconds = (ms: number) => Math.ceil(ms / 1000)

/** One limit for each id, counted in the TTL store and so across all gateways that share it. */
export const createRateLimiter = ({ ttl, perMinute, name = 'rate' }: RateLimiterOptions): LimitRate => {
  if (perMinute === 0) return async () => undefined
  const limit = String(perMinute)

  return async (id) => {
    try {
      const [granted, remaining, fullInMs, nextInMs] = await ttl.run(takePermit, [`${name}:{${id}}`], [limit])
      const reset = String(wholeSeconds(fullInMs))
      return {
        allowed: granted === 1,
        headers: ['ratelimit-limit', limit, 'ratelimit-remaining', String(remaining), 'ratelimit-reset', reset],
        retryAfterSeconds: Math.max(1, wholeSeconds(nextInMs)),
      }
    } catch {
      // A limit that protects the service must not stop it when the store is down.
      return undefined
    }
  }
}
