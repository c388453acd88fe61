/** Samples of another loudness, 1 being their own. What would be too loud is as loud as can be. */
export const withVolume = (pcm: Int16Array, volume: number): Int16Array =>
  volume === 1 ? pcm : pcm.map((sample) => Math.max(-32768, Math.min(32767, Math.round(sample * volume))))
