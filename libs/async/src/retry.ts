import { sleep } from './sleep.js'

/** Delays that double after each failure, from `firstMs` up to `maxMs`. */
export interface Backoff {
  readonly firstMs: number
  readonly maxMs: number
}

/**
 * Milliseconds to wait before the attempt that follows `failures` failures in a row, which is at least 1. The delay is
 * jittered; `random` returns a number from 0 up to, but not including, 1.
 */
export const backoffMs = ({ firstMs, maxMs }: Backoff, failures: number, random = Math.random): number =>
  jitteredMs(Math.min(firstMs * 2 ** (failures - 1), maxMs), random)

/** A random time between half of `ms` and `ms`: clients that failed at the same time then do not return at the same time. */
export const jitteredMs = (ms: number, random = Math.random): number => ms * (0.5 + random() / 2)

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
