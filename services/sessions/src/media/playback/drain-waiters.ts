/** Callers that wait until little audio is left to play. */
export interface DrainWaiters {
  /** Resolves at the first `wake` with less than `limitMs` of audio left, or with none. */
  add(limitMs: number): Promise<void>
  wake(): void
}

interface Waiter {
  readonly limitMs: number
  resolve(): void
}

export const createDrainWaiters = (waitingMs: () => number): DrainWaiters => {
  let waiters: Waiter[] = []
  return {
    add: (limitMs) => new Promise((resolve) => waiters.push({ limitMs, resolve })),
    wake() {
      if (waiters.length === 0) return
      const leftMs = waitingMs()
      const isWoken = ({ limitMs }: Waiter): boolean => leftMs === 0 || leftMs < limitMs
      const woken = waiters.filter(isWoken)
      waiters = waiters.filter((waiter) => !isWoken(waiter))
      for (const { resolve } of woken) resolve()
    },
  }
}
