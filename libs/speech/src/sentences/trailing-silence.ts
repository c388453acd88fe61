/** Samples up to this size, -50 dB of full scale, are silence. */
export const silenceLevel = 103

/** Measures the silence at the end of mono audio that arrives in chunks. */
export const createTrailingSilence = (sampleRateHz: number) => {
  let samples = 0
  let soundEnd = 0
  return {
    /** Takes the next samples, which may be overwritten afterwards. */
    add(pcm: Int16Array): void {
      const last = pcm.findLastIndex((sample) => Math.abs(sample) > silenceLevel)
      if (last >= 0) soundEnd = samples + last + 1
      samples += pcm.length
    },
    /** Returns how long the audio has been silent at its end, in ms; all of it where there was no sound. */
    ms: (): number => ((samples - soundEnd) * 1000) / sampleRateHz,
  }
}
