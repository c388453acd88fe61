export interface GatheredSamples {
  push(samples: Int16Array): void
  /** Sends what is left. */
  flush(): void
}

/** Sends samples so many at a time, as s16le; never none. */
export const createGatheredSamples = (atOnce: number, send: (bytes: Uint8Array) => void): GatheredSamples => {
  let gathered = new Int16Array(atOnce)
  let count = 0
  const flush = () => {
    if (count === 0) return
    send(new Uint8Array(gathered.buffer, 0, count * 2))
    gathered = new Int16Array(atOnce)
    count = 0
  }
  return {
    flush,
    push(samples) {
      for (let at = 0; at < samples.length; ) {
        const taken = samples.subarray(at, at + atOnce - count)
        gathered.set(taken, count)
        count += taken.length
        at += taken.length
        if (count === atOnce) flush()
      }
    },
  }
}
