/**
 * The polyphase filter of a sample rate conversion: a sinc with a Kaiser window. One input sample has `phases` phases, and output
 * sample n is `step * n` phases after the first input sample.
 */
export interface ResamplingFilter {
  readonly phases: number
  readonly step: number
  /** Input samples for one output sample; a multiple of 32. */
  readonly taps: number
  /** `phases` rows of `taps` weights, as fractions of `one`, which is the sum of each row. */
  readonly table: Int16Array
}

/** Finer than 16-bit audio needs, and small enough for sums of 32 bits. */
const one = 2 ** 14

/** Zero crossings of the sinc on each side, at the lower of the two rates. */
const zeroCrossings = 32
/** The pass band, as a part of the lower rate's band. The rest is the slope of the filter. */
const passedBand = 0.93
/** An attenuation of 70 dB beyond the slope. */
const kaiserBeta = 6.8

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b))

/** The modified Bessel function of the first kind and order 0. */
const besselI0 = (x: number): number => {
  let term = 1
  let sum = 1
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2
    sum += term
  }
  return sum
}

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))

/** Designs the filter for two rates, whole numbers of Hz. */
export const designResamplingFilter = (fromHz: number, toHz: number): ResamplingFilter => {
  const divisor = greatestCommonDivisor(fromHz, toHz)
  const phases = toHz / divisor
  const step = fromHz / divisor
  const ratio = Math.min(1, toHz / fromHz)
  const halfWidth = zeroCrossings / ratio
  const taps = 32 * Math.ceil((2 * halfWidth) / 32)
  const table = new Int16Array(phases * taps)
  for (let phase = 0; phase < phases; phase++) {
    const weights = Array.from({ length: taps }, (_, tap) => {
      // In input samples from the output sample, which is `phase / phases` after the middle tap.
      const distance = tap - (taps / 2 - 1) - phase / phases
      const inWindow = 1 - (distance / halfWidth) ** 2
      return inWindow <= 0 ? 0 : sinc(distance * ratio * passedBand) * besselI0(kaiserBeta * Math.sqrt(inWindow))
    })
    table.set(quantized(weights), phase * taps)
  }
  return { phases, step, taps, table }
}

/** Rounds weights to fractions of `one`. The rounding error is added to the largest weight, where it matters least. */
const quantized = (weights: readonly number[]): number[] => {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const parts = weights.map((weight) => Math.round((weight / sum) * one))
  const rest = one - parts.reduce((total, part) => total + part, 0)
  parts[parts.indexOf(Math.max(...parts))]! += rest
  return parts
}
