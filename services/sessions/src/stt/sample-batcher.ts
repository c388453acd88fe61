export interface SampleBatcher {
  push(samples: Int16Array): void
  /** Sends the remaining samples, if any. */
  flush(): void
}

/** Sends samples in batches of `batchSize`, each as s16le. */
export const createSampleBatcher = (batchSize: number, send: (bytes: Uint8Array) => void): SampleBatcher => {
  let batch = new Int16Array(batchSize)
  let count = 0
  const flush = () => {
    if (count === 0) return
    send(new Uint8Array(batch.buffer, 0, count * 2))
    batch = new Int16Array(batchSize)
    count = 0
  }
  return {
    flush,
    push(samples) {
      for (let at = 0; at < samples.length; ) {
        const taken = samples.subarray(at, at + batchSize - count)
        batch.set(taken, count)
        count += taken.length
        at += taken.length
        if (count === batchSize) flush()
      }
    },
  }
}
