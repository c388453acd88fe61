/**
 * Waits for `work` for at most `limitMs` milliseconds; a limit below 1 counts as 1. Afterwards the result is what
 * `onTimeout` returns or throws, and a later rejection of `work` is ignored. The work itself continues.
 *
 * @throws what `work` rejects with in time, what `onTimeout` throws, or the reason of `signal` once that is aborted.
 */
export const withTimeout = <Result, Late>(
  work: Promise<Result>,
  limitMs: number,
  onTimeout: () => Late | Promise<Late>,
  signal?: AbortSignal,
): Promise<Result | Late> =>
  new Promise((resolve, reject) => {
    const endWait = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    const onAbort = () => {
      endWait()
      reject(signal?.reason)
    }
    const onLimit = () => {
      endWait()
      try {
        resolve(onTimeout())
      } catch (error) {
        reject(error)
      }
    }
    const timer = limitMs === Number.POSITIVE_INFINITY ? undefined : setTimeout(onLimit, Math.max(1, limitMs))
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) onAbort()
    work.then(
      (result) => {
        endWait()
        resolve(result)
      },
      (reason) => {
        endWait()
        reject(reason)
      },
    )
  })

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
