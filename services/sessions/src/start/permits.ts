import { createPendingWork, createSemaphore } from '@parlance/async'
import { draining, ServiceError } from '@parlance/contracts'

export type Permits = ReturnType<typeof createPermits>

/** Permits for the conversations that this process can have at once. `onChange` is called when `areAvailable` may have changed. */
export const createPermits = (count: number, onChange: () => void) => {
  const permits = createSemaphore(count)
  const taken = createPendingWork()
  let isDraining = false

  return {
    /** Takes a permit. Returns a function that releases it. Throws `capacity_exhausted`, or `draining`. */
    take(): () => void {
      if (isDraining) throw draining()
      const release = permits.tryAcquire()
      if (release === undefined)
        throw new ServiceError('capacity_exhausted', 'There are too many conversations now. Try again.')
      const end = taken.begin()
      onChange()
      return () => {
        release()
        end()
        onChange()
      }
    },
    areAvailable: () => !isDraining && permits.available() > 0,
    isDraining: () => isDraining,
    /** Refuses permits from now on. Resolves when all are released. */
    drain(): Promise<void> {
      isDraining = true
      onChange()
      return taken.allDone()
    },
  }
}
