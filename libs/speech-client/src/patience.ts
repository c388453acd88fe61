/** How long a burst may take to be worked off. What lasts longer is not a burst, and all who wait have waited for it. */
const burstMs = 200
/** Who waits asks again sooner than that: where nobody was refused for so long nobody waits, and a burst begins anew. */
const calmMs = 100
/** Under a load that lasts, every try is load too, and whoever is admitted at last has waited for it. */
const aMomentMs = 20

/** Until when a request that found every worker full may go on looking for room. Times are on one clock, in ms. */
export interface Patience {
  /** A request that was first asked for at `askedAtMs` has just been refused. */
  refused(askedAtMs: number, nowMs: number): number
}

export const createPatience = (): Patience => {
  let firstMs = Number.NEGATIVE_INFINITY
  let lastMs = Number.NEGATIVE_INFINITY

  return {
    refused(askedAtMs, nowMs) {
      if (nowMs - lastMs > calmMs) firstMs = nowMs
      lastMs = nowMs
      return Math.max(firstMs + burstMs, askedAtMs + aMomentMs)
    },
  }
}
