import { ServiceError } from '@parlance/contracts'

/**
 * Limits messages with a token bucket that holds `perSecond` and refills evenly. The returned function takes a token and
 * returns false when no token is left.
 */
export const createMessageRate = (perSecond: number): ((nowMs: number) => boolean) => {
  let left: number = perSecond
  let countedAtMs: number | undefined
  return (nowMs) => {
    left = Math.min(perSecond, left + ((nowMs - (countedAtMs ?? nowMs)) * perSecond) / 1000)
    countedAtMs = nowMs
    if (left < 1) return false
    left -= 1
    return true
  }
}

/** Counts a message. Throws `rate_limited`. */
export const createMessageLimit = (perSecond: number): (() => void) => {
  const take = createMessageRate(perSecond)
  return () => {
    if (!take(performance.now())) throw new ServiceError('rate_limited', `At most ${perSecond} messages a second.`)
  }
}
