import { type TtlStore, takePermits } from '@parlance/store'

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

type Waiting = (decision: RateDecision | undefined) => void

const wholeSeconds = (ms: number) => Math.ceil(ms / 1000)

/**
 * One limit for each id, counted in the TTL store and so across all gateways that share it. Requests with an id that arrive in
 * one tick take their permits with one command to the store. Each gets the same result as with a separate command.
 */
export const createRateLimiter = ({ ttl, perMinute, name = 'rate' }: RateLimiterOptions): LimitRate => {
  if (perMinute === 0) return async () => undefined
  const limit = String(perMinute)

  const decide = async (id: string, waiting: readonly Waiting[]): Promise<void> => {
    try {
      const args = [limit, String(waiting.length)]
      const [granted, remaining, fullInMs, nextInMs] = await ttl.run(takePermits, [`${name}:{${id}}`], args)
      const reset = String(wholeSeconds(fullInMs))
      waiting.forEach((resolve, n) => {
        const left = n < granted ? remaining + granted - 1 - n : 0
        resolve({
          allowed: n < granted,
          headers: ['ratelimit-limit', limit, 'ratelimit-remaining', String(left), 'ratelimit-reset', reset],
          retryAfterSeconds: Math.max(1, wholeSeconds(nextInMs)),
        })
      })
    } catch {
      // A limit that protects the service must not stop it when the store is down.
      for (const resolve of waiting) resolve(undefined)
    }
  }

  const ofThisTick = new Map<string, Waiting[]>()
  return (id) =>
    new Promise((resolve) => {
      const others = ofThisTick.get(id)
      if (others !== undefined) {
        others.push(resolve)
        return
      }
      const waiting = [resolve]
      ofThisTick.set(id, waiting)
      setImmediate(() => {
        ofThisTick.delete(id)
        decide(id, waiting)
      })
    })
}
