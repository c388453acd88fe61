/** The number of takes in which the delay must have been longer than needed: two seconds of packets of 20 ms. */
const observedTakes = 100

/** Observes how much audio waits beyond the next packet, to find a delay that stays longer than needed. */
export class DelaySurplus {
  #minSpareSamples: number | undefined
  #takes = 0

  /** Called once per packet taken. True after two seconds in which never less than `neededSamples` was spare. */
  observe(spareSamples: number, neededSamples: number): boolean {
    const minSpareSamples = Math.min(this.#minSpareSamples ?? spareSamples, spareSamples)
    this.#minSpareSamples = minSpareSamples
    if (++this.#takes < observedTakes) return false
    const isLonger = minSpareSamples >= neededSamples
    this.reset()
    return isLonger
  }

  reset(): void {
    this.#minSpareSamples = undefined
    this.#takes = 0
  }
}
