interface Party {
  held: number
  /** The number of the grant by which it last received a permit. */
  grantedAt: number
  readonly waiting: Set<() => void>
}

/**
 * A fixed number of permits that parties share fairly. A permit goes to the party that holds the fewest, and among equals to
 * the one that has been without a new one for longest. Requests of one party are granted in the order in which they came.
 * `permits` is at least 1, and so is `perParty`, the most that one party holds.
 */
export const createFairSemaphore = (permits: number, perParty = permits) => {
  const parties = new Map<string, Party>()
  let available = permits
  let grants = 0

  const partyOf = (name: string): Party => {
    const party = parties.get(name) ?? { held: 0, grantedAt: 0, waiting: new Set() }
    parties.set(name, party)
    return party
  }
  const forgetIfUnused = (name: string, { held, waiting }: Party) => {
    if (held === 0 && waiting.size === 0) parties.delete(name)
  }
  const next = (): (() => void) | undefined => {
    const [fairest] = [...parties.values()]
      .filter(({ held, waiting }) => held < perParty && waiting.size > 0)
      .sort((a, b) => a.held - b.held || a.grantedAt - b.grantedAt)
    return fairest?.waiting.values().next().value
  }
  const grant = (name: string, party: Party): (() => void) => {
    available -= 1
    party.held += 1
    party.grantedAt = ++grants
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      available += 1
      party.held -= 1
      forgetIfUnused(name, party)
      next()?.()
    }
  }

  return {
    /**
     * Resolves with the function that releases the permit; only its first call counts. Rejects with the reason of `signal`
     * when that is aborted before there is a permit.
     */
    acquire: (name: string, signal?: AbortSignal): Promise<() => void> =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const party = partyOf(name)
        if (available > 0 && party.held < perParty) return resolve(grant(name, party))
        const onAbort = () => {
          party.waiting.delete(onPermit)
          forgetIfUnused(name, party)
          reject(signal?.reason)
        }
        const onPermit = () => {
          party.waiting.delete(onPermit)
          signal?.removeEventListener('abort', onAbort)
          resolve(grant(name, party))
        }
        party.waiting.add(onPermit)
        signal?.addEventListener('abort', onAbort, { once: true })
      }),
    /** Requests that wait for a permit: those of a party, or all. */
    waiting: (name?: string): number =>
      name === undefined
        ? [...parties.values()].reduce((sum, { waiting }) => sum + waiting.size, 0)
        : (parties.get(name)?.waiting.size ?? 0),
  }
}

export type FairSemaphore = ReturnType<typeof createFairSemaphore>
