import type { RemoteFailure } from './remote-failure.js'

const firstDelayMs = 100
const maxAttempts = 3

/** How long to wait after the `attempt`th attempt failed, or undefined where another would not help. */
export const retryDelayMs = (failure: RemoteFailure, attempt: number): number | undefined => {
  if (!failure.mayTryAgain || attempt >= maxAttempts) return undefined
  return failure.retryAfterMs ?? jittered(firstDelayMs * 2 ** (attempt - 1))
}

/** Between half and all of it, so that those who failed together do not come back together. */
export const jittered = (ms: number): number => ms * (0.5 + Math.random() / 2)
