import pTimeout from 'p-timeout'

/**
 * Waits for `work` for at most `limitMs` milliseconds; a limit below 1 counts as 1. Afterwards the result is what
 * `onTimeout` returns or throws, and a later rejection of `work` is ignored. The work itself goes on.
 *
 * @throws what `work` rejects with in time, what `onTimeout` throws, or the reason of `signal` once that is aborted.
 */
export const withTimeout = <Result, Late>(
  work: Promise<Result>,
  limitMs: number,
  onTimeout: () => Late | Promise<Late>,
  signal?: AbortSignal,
): Promise<Result | Late> =>
  pTimeout(work, { milliseconds: Math.max(1, limitMs), fallback: onTimeout, ...(signal && { signal }) })

/**
 * Whether `work` resolves within `limitMs` milliseconds.
 *
 * @throws what `work` rejects with in time.
 */
export const settlesWithin = (work: Promise<unknown>, limitMs: number): Promise<boolean> =>
  withTimeout(
    work.then(() => true),
    limitMs,
    () => false,
  )
