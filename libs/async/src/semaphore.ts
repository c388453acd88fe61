/**
 * A fixed number of permits, at least 1. Requests that wait for one are granted in the order in which they came. With
 * `Infinity` every request is granted at once.
 */
export const createSemaphore = (permits: number) => {
  const waiting = new Set<() => void>()
  let available = permits

  const grant = (): (() => void) => {
    available -= 1
    let released = false
    return () => {
      if (released) return
      released = true
      available += 1
      const [next] = waiting
      next?.()
    }
  }

  return {
    /**
     * Resolves with the function that releases the permit; only its first call counts. Rejects with the reason of `signal`
     * when that is aborted before there is a permit.
     */
    acquire: (signal?: AbortSignal): Promise<() => void> =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        if (available > 0) return resolve(grant())
        const onAbort = () => {
          waiting.delete(onPermit)
          reject(signal?.reason)
        }
        const onPermit = () => {
          waiting.delete(onPermit)
          signal?.removeEventListener('abort', onAbort)
          resolve(grant())
        }
        waiting.add(onPermit)
        signal?.addEventListener('abort', onAbort, { once: true })
      }),
    /** Like `acquire`, but undefined where no permit is available now. */
    tryAcquire: (): (() => void) | undefined => (available > 0 ? grant() : undefined),
    /** Permits that are available now. */
    available: (): number => available,
  }
}
