/** Resolves when `signal` is aborted, at once where it is already. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/**
 * Settles as `work` does, or rejects with the reason of `signal` once that is aborted. A later rejection of `work` is ignored.
 * For work that takes no signal: the work itself goes on.
 *
 * @throws what `work` rejects with, or the reason of `signal`.
 */
export const orAborted = <Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
