import { draining, ServiceError } from '@parlance/contracts'

/** Permits for the conversations that this process can have at once. */
export interface Permits {
  /** Takes a permit. Returns a function that releases it. Throws `capacity_exhausted`, or `draining`. */
  take(): () => void
  areAvailable(): boolean
  isDraining(): boolean
  /** Refuses permits from now on. Resolves when all are released. */
  drain(): Promise<void>
}

/** `onChange` is called when `areAvailable` changes. */
export const createPermits = (count: number, onChange: () => void): Permits => {
  let taken = 0
  let isDraining = false
  let onEmpty = () => {}
  const areAvailable = () => !isDraining && taken < count

  const change = (work: () => void): void => {
    const before = areAvailable()
    work()
    if (areAvailable() !== before) onChange()
    if (taken === 0) onEmpty()
  }

  return {
    take() {
      if (isDraining) throw draining()
      if (taken >= count)
        throw new ServiceError('capacity_exhausted', 'There are too many conversations now. Try again.')
      change(() => {
        taken += 1
      })
      let released = false
      return () => {
        if (released) return
        released = true
        change(() => {
          taken -= 1
        })
      }
    },
    areAvailable,
    isDraining: () => isDraining,
    drain: () =>
      new Promise((resolve) => {
        onEmpty = resolve
        change(() => {
          isDraining = true
        })
      }),
  }
}
