import { msToSamples } from '@parlance/audio'

/** A sine wave of amplitude 8000 after `silenceMs` of silence. */
export const tone = (options: {
  frequencyHz: number
  sampleRateHz: number
  durationMs: number
  silenceMs?: number
}): Int16Array => {
  const { frequencyHz, sampleRateHz, durationMs, silenceMs = 0 } = options
  const start = msToSamples(silenceMs, sampleRateHz)
  return Int16Array.from({ length: start + msToSamples(durationMs, sampleRateHz) }, (_, i) =>
    i < start ? 0 : 8000 * Math.sin((2 * Math.PI * frequencyHz * (i - start)) / sampleRateHz),
  )
}

/** Noise that is the same at every run. */
export const noise = (samples: number): Int16Array => {
  let state = 1
  return Int16Array.from({ length: samples }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return state >> 18
  })
}

/** Splits the energy of the samples into that of a sine of the given frequency and the rest. */
export const toneAndRest = (
  pcm: Int16Array,
  frequencyHz: number,
  sampleRateHz: number,
): { tone: number; rest: number } => {
  let real = 0
  let imaginary = 0
  let energy = 0
  pcm.forEach((sample, i) => {
    const phase = (2 * Math.PI * frequencyHz * i) / sampleRateHz
    real += sample * Math.cos(phase)
    imaginary += sample * Math.sin(phase)
    energy += sample * sample
  })
  const tone = (2 * (real * real + imaginary * imaginary)) / pcm.length
  return { tone, rest: energy - tone }
}

/** The first sample that is clearly louder than silence. */
export const onset = (pcm: Int16Array): number => pcm.findIndex((sample) => Math.abs(sample) > 1000)
