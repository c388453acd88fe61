import FFT from 'fft.js'

/** The energy in the bins of two frames, from 0 Hz to half of the sample rate. The arrays are overwritten by the next call. */
interface PairSpectrum {
  readonly first: Float64Array
  readonly second: Float64Array
}

/**
 * Fourier transforms of frames whose length is not a power of two, by Bluestein's algorithm: multiplied with a chirp, the
 * transform becomes a convolution, which longer transforms compute. Two frames of real samples are transformed at once, as
 * the real and the imaginary part of one signal.
 *
 * `length` is an even number of samples.
 */
export const createPairSpectrum = (length: number): ((first: Float64Array, second: Float64Array) => PairSpectrum) => {
  const size = 2 ** Math.ceil(Math.log2(2 * length - 1))
  const fft = new FFT(size)
  const complex = () => new Float64Array(2 * size)

  // exp(-πi n² / length). The square is taken modulo the period, which keeps the angle exact.
  const cos = Float64Array.from({ length }, (_, n) => Math.cos((Math.PI * (n ** 2 % (2 * length))) / length))
  const sin = Float64Array.from({ length }, (_, n) => -Math.sin((Math.PI * (n ** 2 % (2 * length))) / length))
  const chirp = complex()
  for (let n = 0; n < length; n++) {
    for (const at of n === 0 ? [0] : [n, size - n]) {
      chirp[2 * at] = cos[n]!
      chirp[2 * at + 1] = -sin[n]!
    }
  }
  const chirpSpectrum = complex()
  fft.transform(chirpSpectrum, chirp)

  const signal = complex()
  const spectrum = complex()
  const convolved = complex()
  const bins = length / 2 + 1
  const energies = { first: new Float64Array(bins), second: new Float64Array(bins) }

  return (first, second) => {
    signal.fill(0)
    for (let n = 0; n < length; n++) {
      signal[2 * n] = first[n]! * cos[n]! - second[n]! * sin[n]!
      signal[2 * n + 1] = first[n]! * sin[n]! + second[n]! * cos[n]!
    }
    fft.transform(spectrum, signal)
    for (let at = 0; at < 2 * size; at += 2) {
      const [re, im] = [spectrum[at]!, spectrum[at + 1]!]
      spectrum[at] = re * chirpSpectrum[at]! - im * chirpSpectrum[at + 1]!
      spectrum[at + 1] = re * chirpSpectrum[at + 1]! + im * chirpSpectrum[at]!
    }
    fft.inverseTransform(convolved, spectrum)
    // The last multiplication with the chirp is done where both halves of the sum are needed.
    const re = (n: number) => convolved[2 * n]! * cos[n]! - convolved[2 * n + 1]! * sin[n]!
    const im = (n: number) => convolved[2 * n]! * sin[n]! + convolved[2 * n + 1]! * cos[n]!
    for (let bin = 0; bin < bins; bin++) {
      const mirrored = (length - bin) % length
      const [a, b, c, d] = [re(bin), im(bin), re(mirrored), im(mirrored)]
      energies.first[bin] = ((a + c) ** 2 + (b - d) ** 2) / 4
      energies.second[bin] = ((b + d) ** 2 + (c - a) ** 2) / 4
    }
    return energies
  }
}
