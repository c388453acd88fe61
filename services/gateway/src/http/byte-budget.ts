/** Memory that the requests of several parties share. */
export interface ByteBudget {
  /** A reservation for a party, which is empty at first. */
  open(party: string): ByteReservation
}

export interface ByteReservation {
  /** Adds bytes. Returns false, and adds nothing, when too few are left or the party would exceed its share. */
  add(bytes: number): boolean
  /** Releases all bytes. Nothing can be added any more. */
  release(): void
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
    open(party) {
      let reserved = 0
      let isReleased = false
      return {
        add(bytes) {
          if (isReleased || bytes > free || bytes + (takenBy.get(party) ?? 0) > share) return false
          change(party, bytes)
          reserved += bytes
          return true
        },
        release() {
          isReleased = true
          change(party, -reserved)
          reserved = 0
        },
      }
    },
  }
}
