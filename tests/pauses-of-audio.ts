export const sampleRateHz = 24_000

/** Samples up to these are silent: at the ends, and within, where a pause is not wholly silent. */
const silenceLevel = 100
const quietLevel = 200

export const pcmOf = (bytes: Buffer): Int16Array =>
  new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
export const msOf = (samples: number): number => (samples * 1000) / sampleRateHz

/** Where there is sound: from the first to the last sample that is not silent, and the pauses of at least 100 ms between. */
export const measure = (pcm: Int16Array) => {
  const first = pcm.findIndex((sample) => Math.abs(sample) > silenceLevel)
  const last = pcm.findLastIndex((sample) => Math.abs(sample) > silenceLevel)
  const pausesMs: number[] = []
  let run = 0
  for (const sample of pcm.subarray(first, last + 1)) {
    if (Math.abs(sample) <= quietLevel) run += 1
    else {
      if (msOf(run) >= 100) pausesMs.push(msOf(run))
      run = 0
    }
  }
  return { soundMs: msOf(last + 1 - first), pausesMs }
}
