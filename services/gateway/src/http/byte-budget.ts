/** Memory that requests share. */
export interface ByteBudget {
  /** Takes so many bytes. Returns the function that gives them back, or undefined when there are too few. */
  take(bytes: number): (() => void) | undefined
}

/** A budget of `total` bytes. */
export const createByteBudget = (total: number): ByteBudget => {
  let free = total
  return {
    take(bytes) {
      if (bytes > free) return undefined
      free -= bytes
      let isTaken = true
      return () => {
        if (isTaken) free += bytes
        isTaken = false
      }
    },
  }
}
