/**
 * Integrated loudness by ITU-R BS.1770-5 and EBU R128, of mono speech: K-weighting, then the mean energy of blocks of 400 ms, first
 * of those above -70 LUFS, then of those that are no more than 10 LU below the mean of the former.
 */

/** A filter with two poles: y = b0 x + b1 x' + b2 x" - a1 y' - a2 y". */
interface Biquad {
  readonly b: readonly [number, number, number]
  readonly a: readonly [number, number]
}

/**
 * The filters of BS.1770 at any sample rate. The recommendation has coefficients for 48 kHz alone; these are the frequency, the
 * quality and the gain of its analog filters (De Man, "Evaluation of implementations of the EBU R128 loudness measurement").
 */
const highShelf = (sampleRateHz: number): Biquad => {
  const k = Math.tan((Math.PI * 1681.974450955533) / sampleRateHz)
  const q = 0.7071752369554196
  const high = 10 ** (3.999843853973347 / 20)
  const band = high ** 0.4996667741545416
  const a0 = 1 + k / q + k * k
  return {
    b: [(high + (band * k) / q + k * k) / a0, (2 * (k * k - high)) / a0, (high - (band * k) / q + k * k) / a0],
    a: [(2 * (k * k - 1)) / a0, (1 - k / q + k * k) / a0],
  }
}
const highPass = (sampleRateHz: number): Biquad => {
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRateHz)
  const q = 0.5003270373238773
  const a0 = 1 + k / q + k * k
  return { b: [1, -2, 1], a: [(2 * (k * k - 1)) / a0, (1 - k / q + k * k) / a0] }
}

const createFilter = ({ b: [b0, b1, b2], a: [a1, a2] }: Biquad): ((sample: number) => number) => {
  let s1 = 0
  let s2 = 0
  return (x) => {
    const y = b0 * x + s1
    s1 = b1 * x - a1 * y + s2
    s2 = b2 * x - a2 * y
    return y
  }
}

const lufsOf = (energy: number): number => -0.691 + 10 * Math.log10(energy)
const energyOf = (lufs: number): number => 10 ** ((lufs + 0.691) / 10)
const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** A block has four steps, so blocks overlap by three quarters. */
const stepMs = 100
const stepsOfBlock = 4
const absoluteGate = energyOf(-70)
const relativeGate = 10 ** (-10 / 10)

/** Returns the integrated loudness of mono s16 samples in LUFS; -Infinity for silence and for less than 400 ms. */
export const integratedLoudness = (pcm: Int16Array, sampleRateHz: number): number => {
  const shelve = createFilter(highShelf(sampleRateHz))
  const pass = createFilter(highPass(sampleRateHz))
  const stepSamples = Math.round((sampleRateHz * stepMs) / 1000)
  const steps: number[] = []
  let sum = 0
  for (let at = 0; at < pcm.length; at++) {
    sum += pass(shelve(pcm[at]! / 32_768)) ** 2
    if ((at + 1) % stepSamples === 0) {
      steps.push(sum / stepSamples)
      sum = 0
    }
  }
  const blocks = steps.slice(stepsOfBlock - 1).map((_, index) => meanOf(steps.slice(index, index + stepsOfBlock)))
  const audible = blocks.filter((energy) => energy > absoluteGate)
  const gate = meanOf(audible) * relativeGate
  const loud = audible.filter((energy) => energy > gate)
  return loud.length === 0 ? Number.NEGATIVE_INFINITY : lufsOf(meanOf(loud))
}

/** The loudness of every voice at volume 1, in LUFS. */
export const voiceLoudness = -20
