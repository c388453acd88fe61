/** The number of takes in which the delay must have been longer than needed: two seconds of packets of 20 ms. */
const observedTakes = 100

/** Observes how much audio waits beyond the next packet, to find a delay that stays longer than needed. */
export class DelaySurplus {
  #minSpareSamples = Number.POSITIVE_INFINITY
  #takes = 0

  /** Called once per packet taken. True after two seconds in which never less than `neededSamples` was spare. */
  observe(spareSamples: number, neededSamples: number): boolean {
    this.#minSpareSamples = Math.min(this.#minSpareSamples, spareSamples)
    if (++this.#takes < observedTakes) return false
    const isLonger = this.#minSpareSamples >= neededSamples
    this.reset()
    return isLonger
  }

  reset(): void {
    this.#minSpareSamples = Number.POSITIVE_INFINITY
    this.#takes = 0
  }
}
