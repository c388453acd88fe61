/** A sample of this size is at -50 dB of full scale: what is no louder is silence. */
export const silenceLevel = 103

/** Measures the silence at the end of audio that comes in pieces. */
export interface TrailingSilence {
  /** Takes the next samples, which may be overwritten afterwards. */
  add(pcm: Int16Array): void
  /** Returns how long the audio has been silent at its end, in ms; all of it where there was no sound. */
  ms(): number
}

/** `sampleRateHz` is that of mono audio. */
export const createTrailingSilence = (sampleRateHz: number): TrailingSilence => {
  let samples = 0
  let soundEnd = 0
  return {
    add(pcm) {
      const last = pcm.findLastIndex((sample) => Math.abs(sample) > silenceLevel)
      if (last >= 0) soundEnd = samples + last + 1
      samples += pcm.length
    },
    ms: () => ((samples - soundEnd) * 1000) / sampleRateHz,
  }
}
