/**
 * Smart Turn v3. It was trained on these features: the logarithms of the energy in 80 bands of the mel scale, every 10 ms of
 * the last 8 s, as Whisper's feature extractor computes them.
 *
 * - Shorter audio has silence before it.
 * - The samples are scaled to a mean of 0 and a variance of 1, the silence included.
 * - The spectrum is that of 25 ms under a Hann window, around each multiple of 10 ms. The audio is mirrored at both ends.
 * - The logarithms are to the base of 10, at least those of the loudest band less 8, and scaled: (x + 4) / 4.
 */
import { melFilters } from './mel-filters.js'
import { createPairSpectrum } from './pair-spectrum.js'
import type { TurnModel } from './turn-detector.js'

const sampleRateHz = 16_000
const maxAudioMs = 8000
const windowSamples = (maxAudioMs * sampleRateHz) / 1000
const bandCount = 80
const frameSamples = 400
const hopSamples = 160
const frameCount = windowSamples / hopSamples
const binCount = frameSamples / 2 + 1

/** Keeps digital silence finite when it is scaled. */
const leastVariance = 1e-7
/** The minimum energy of a band before its logarithm. */
const leastEnergy = 1e-10
const rangeBelowLoudest = 8

const hann = Float64Array.from({ length: frameSamples }, (_, index) => {
  return 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / frameSamples)
})
const filters = melFilters({ bandCount, binCount, sampleRateHz })
const spectrumOf = createPairSpectrum(frameSamples)

/** The last 8 s at a mean of 0 and a variance of 1, mirrored by half a frame at both ends. */
const scaledWindow = (samples: Int16Array): Float64Array => {
  const end = samples.subarray(-windowSamples)
  const half = frameSamples / 2
  let sum = 0
  let sumOfSquares = 0
  for (const sample of end) {
    sum += sample / 32_768
    sumOfSquares += (sample / 32_768) ** 2
  }
  const mean = sum / windowSamples
  const scale = 1 / Math.sqrt(sumOfSquares / windowSamples - mean ** 2 + leastVariance)

  const window = new Float64Array(windowSamples + frameSamples).fill(-mean * scale)
  const start = half + windowSamples - end.length
  for (let index = 0; index < end.length; index++) window[start + index] = (end[index]! / 32_768 - mean) * scale
  const last = half + windowSamples - 1
  for (let distance = 1; distance <= half; distance++) {
    window[half - distance] = window[half + distance]!
    window[last + distance] = window[last - distance]!
  }
  return window
}

/** Writes the logarithms of the energy in each band of a frame, which has `energies` in its bins. */
const writeBands = (features: Float32Array, frame: number, energies: Float64Array): void => {
  for (const [band, { firstBin, weights }] of filters.entries()) {
    let energy = 0
    for (let index = 0; index < weights.length; index++) energy += weights[index]! * energies[firstBin + index]!
    features[band * frameCount + frame] = Math.log10(Math.max(leastEnergy, energy))
  }
}

/** Takes mono s16 samples at 16 kHz, of which the last 8 s are used. Returns 80 rows of 800 values, a row for each band. */
export const logMel = (samples: Int16Array): Float32Array => {
  const window = scaledWindow(samples)
  const features = new Float32Array(bandCount * frameCount)
  const [first, second] = [new Float64Array(frameSamples), new Float64Array(frameSamples)]
  for (let frame = 0; frame < frameCount; frame += 2) {
    const at = frame * hopSamples
    for (let index = 0; index < frameSamples; index++) {
      first[index] = window[at + index]! * hann[index]!
      second[index] = window[at + hopSamples + index]! * hann[index]!
    }
    const energies = spectrumOf(first, second)
    writeBands(features, frame, energies.first)
    writeBands(features, frame + 1, energies.second)
  }
  const loudest = features.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
  return features.map((value) => (Math.max(value, loudest - rangeBelowLoudest) + 4) / 4)
}

export const smartTurn: TurnModel = {
  engine: 'smart-turn',
  displayName: 'Smart Turn v3',
  inputName: 'input_features',
  inputShape: [1, bandCount, frameCount],
  outputName: 'logits',
  maxAudioMs,
  features: logMel,
}
