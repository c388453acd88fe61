import { type Backoff, backoffMs } from './backoff.js'
import { sleep } from './sleep.js'

export interface RetryOptions {
  readonly backoff: Backoff
  /** Ends the wait for the next attempt. An attempt that is running must observe the signal itself. */
  readonly signal?: AbortSignal
  /** Including the first. Default: no limit. */
  readonly maxAttempts?: number
  /** No attempt starts after this time, in ms on the clock of `performance.now()`. Default: no limit. */
  readonly deadlineMs?: number
  /** Whether another attempt may succeed after this error. Default: always. */
  readonly shouldRetry?: (error: unknown) => boolean
  /** The delay that a server requested, in ms, which replaces the delay of the backoff; undefined when it requested none. */
  readonly retryAfterMs?: (error: unknown) => number | undefined
}

/**
 * Calls `work` until it resolves. `attempt` counts from 1.
 *
 * @throws the error of the last attempt when no other is to follow, or the signal's reason once that is aborted.
 */
export const retry = async <Result>(
  work: (attempt: number) => Promise<Result>,
  { backoff, signal, maxAttempts = Number.POSITIVE_INFINITY, deadlineMs, shouldRetry, retryAfterMs }: RetryOptions,
): Promise<Result> => {
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted()
    try {
      return await work(attempt)
    } catch (error) {
      signal?.throwIfAborted()
      const waitMs = retryAfterMs?.(error) ?? backoffMs(backoff, attempt)
      const isTooLate = deadlineMs !== undefined && performance.now() + waitMs > deadlineMs
      if (attempt >= maxAttempts || isTooLate || shouldRetry?.(error) === false) throw error
      await sleep(waitMs, signal)
    }
  }
}
