/** Memory that the requests of several parties share. */
export interface ByteBudget {
  /**
   * Reserves bytes for a party. Returns a function that releases them, or undefined when too few are left or the party would
   * exceed its share.
   */
  take(bytes: number, party: string): (() => void) | undefined
}

/** A budget of `total` bytes, of which a party has at most `share` at once. */
export const createByteBudget = (total: number, share: number): ByteBudget => {
  let free = total
  const takenBy = new Map<string, number>()

  const change = (party: string, bytes: number): void => {
    const taken = (takenBy.get(party) ?? 0) + bytes
    free -= bytes
    if (taken === 0) takenBy.delete(party)
    else takenBy.set(party, taken)
  }

  return {
    take(bytes, party) {
      if (bytes > free || bytes + (takenBy.get(party) ?? 0) > share) return undefined
      change(party, bytes)
      let isTaken = true
      return () => {
        if (isTaken) change(party, -bytes)
        isTaken = false
      }
    },
  }
}
