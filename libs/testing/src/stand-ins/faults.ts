/** The key that every stand-in accepts. Those that misbehave show it in their errors. */
export const standInKey = 'sk-the-secret-that-must-not-be-seen'

export interface Faults<Fault extends string> {
  /** The next so many requests, or all from now on, go wrong; undefined ends that. */
  misbehave(fault: Fault | undefined, times?: number): void
  /** The fault with which the next request is answered, if any. */
  next(): Fault | undefined
}

export const createFaults = <Fault extends string>(): Faults<Fault> => {
  let fault: Fault | undefined
  let left = 0
  return {
    misbehave(next, times = Number.POSITIVE_INFINITY) {
      fault = next
      left = times
    },
    next() {
      if (left <= 0) return undefined
      left -= 1
      return fault
    },
  }
}
