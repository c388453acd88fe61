import { ServiceError } from '@parlance/contracts'
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

/** Throws `rate_limited` with this detail for a request beyond its limit. */
export const requireRate = (rate: RateDecision | undefined, detail: string): void => {
  if (rate === undefined || rate.allowed) return
  throw new ServiceError('rate_limited', detail, { retryAfterSeconds: rate.retryAfterSeconds })
}

interface RateLimiterOptions {
  ttl: Pick<TtlStore, 'run'>
  /** Also the size of a burst; 0 for no limit. */
  perMinute: number
  /** The prefix of its counts in the store. */
  name?: string
}

const wholeSeconds = (ms: number) => Math.ceil(ms / 1000)

const minuteMs = 60_000
const hourMs = 60 * minuteMs

const count = async (
  ttl: RateLimiterOptions['ttl'],
  key: string,
  permits: number,
  periodMs: number,
): Promise<RateDecision | undefined> => {
  const limit = String(permits)
  try {
    const [granted, remaining, fullInMs, nextInMs] = await ttl.run(takePermit, [key], [limit, String(periodMs)])
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

/** One limit for each id, counted in the TTL store and so across all gateways that share it. */
export const createRateLimiter = ({ ttl, perMinute, name = 'rate' }: RateLimiterOptions): LimitRate =>
  perMinute === 0 ? async () => undefined : (id) => count(ttl, `${name}:{${id}}`, perMinute, minuteMs)

/** Counts a token that a visitor's address mints for a public Agent. Otherwise like `LimitRate`. */
export type LimitVisitors = (id: string, perHour: number) => Promise<RateDecision | undefined>

export const createVisitorLimiter =
  (ttl: RateLimiterOptions['ttl']): LimitVisitors =>
  (id, perHour) =>
    count(ttl, `visitors:{${id}}`, perHour, hourMs)
