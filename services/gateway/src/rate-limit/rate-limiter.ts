import type { TtlStore } from '@parlance/store'
import { takePermits } from './take-permits.js'

/** What a request that was counted is told. */
export interface RateDecision {
  readonly allowed: boolean
  /** Flat. They go out with the answer, whatever that is. */
  readonly headers: readonly string[]
  /** Until a request will be let through again. */
  readonly retryAfterSeconds: number
}

/** Counts a request of a workspace. Undefined where requests are not counted, or cannot be just now. */
export type LimitRate = (workspaceId: string) => Promise<RateDecision | undefined>

export interface RateLimiterOptions {
  ttl: Pick<TtlStore, 'run'>
  /** Also how many may come all at once; 0 for no limit. */
  perMinute: number
}

type Waiting = (decision: RateDecision | undefined) => void

const wholeSeconds = (ms: number) => Math.ceil(ms / 1000)

/**
 * One limit for each workspace, counted in the TTL store and so across all gateways that share it. Requests of a
 * workspace that come in one turn of the event loop ask the store together, and are then told what each would have been
 * told by itself.
 */
export const createRateLimiter = ({ ttl, perMinute }: RateLimiterOptions): LimitRate => {
  if (perMinute === 0) return async () => undefined
  const limit = String(perMinute)

  const decide = async (workspaceId: string, waiting: readonly Waiting[]): Promise<void> => {
    try {
      const args = [limit, String(waiting.length)]
      const [granted, remaining, fullInMs, nextInMs] = await ttl.run(takePermits, [`rate:{${workspaceId}}`], args)
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
      // A limit is there to protect the service: without a store to count in it must not be what takes it down.
      for (const resolve of waiting) resolve(undefined)
    }
  }

  const ofThisTurn = new Map<string, Waiting[]>()
  return (workspaceId) =>
    new Promise((resolve) => {
      const others = ofThisTurn.get(workspaceId)
      if (others !== undefined) {
        others.push(resolve)
        return
      }
      const waiting = [resolve]
      ofThisTurn.set(workspaceId, waiting)
      setImmediate(() => {
        ofThisTurn.delete(workspaceId)
        decide(workspaceId, waiting)
      })
    })
}
