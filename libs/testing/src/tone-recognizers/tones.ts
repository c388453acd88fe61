/** Words that are tones, and the bands of a model's features in which their energy is. */
import { float, type OnnxValue } from '../onnx-writer.js'

/** The tones are far enough apart that none has energy in the band of another. No word may follow itself. */
export const hzOfWord = { hello: 300, world: 500, please: 800, tell: 1200, me: 1700, the: 2400, time: 3400 } as const
type ToneWord = keyof typeof hzOfWord
export const words = Object.keys(hzOfWord) as ToneWord[]

export const sampleRateHz = 16_000
const wordSamples = 0.2 * sampleRateHz
const pauseSamples = 0.1 * sampleRateHz
const loudness = 10_000

/**
 * The words as mono s16 samples that these models recognize: 200 ms of a tone each, and 100 ms of silence before,
 * between and after them.
 */
export const spokenInTones = (...spokenWords: readonly ToneWord[]): Int16Array => {
  const pcm = new Int16Array(pauseSamples + spokenWords.length * (wordSamples + pauseSamples))
  for (const [place, word] of spokenWords.entries()) {
    const start = pauseSamples + place * (wordSamples + pauseSamples)
    const radians = (2 * Math.PI * hzOfWord[word]) / sampleRateHz
    for (let at = 0; at < wordSamples; at++) {
      // The tone fades in and out: an abrupt tone would contain all frequencies.
      const swell = Math.sin((Math.PI * at) / wordSamples)
      pcm[start + at] = Math.round(loudness * swell * swell * Math.sin(radians * at))
    }
  }
  return pcm
}

/** The features are the logarithms of the energy in 80 bands, equally wide on a mel scale. */
export const bands = 80

/** A mel scale: the one of Kaldi, or the one of Slaney. */
type MelScale = 'kaldi' | 'slaney'

const melOf: Readonly<Record<MelScale, (hz: number) => number>> = {
  kaldi: (hz) => 1127 * Math.log(1 + hz / 700),
  slaney: (hz) => (hz < 1000 ? (3 * hz) / 200 : 15 + (27 * Math.log(hz / 1000)) / Math.log(6.4)),
}

/** The range of the bands. */
export interface BandRange {
  readonly scale: MelScale
  readonly lowestHz: number
  readonly highestHz: number
}

const bandOf = (hz: number, { scale, lowestHz, highestHz }: BandRange): number => {
  const mel = melOf[scale]
  return Math.round(((mel(hz) - mel(lowestHz)) / (mel(highestHz) - mel(lowestHz))) * (bands + 1)) - 1
}

interface BandWeightsOptions {
  /** How many frames are one input, of which only the last counts. Default 1. */
  readonly frames?: number
  readonly symbolCount: number
  /** The number of the first word among the symbols. Default 1, after the blank. */
  readonly firstWord?: number
  readonly range: BandRange
}

/** Weights from the bands of an input to the energy of each symbol: a matrix of bands by symbols. */
export const bandWeights = ({ frames = 1, symbolCount, firstWord = 1, range }: BandWeightsOptions) => {
  const matrix = new Array<number>(frames * bands * symbolCount).fill(0)
  for (const [index, word] of words.entries()) {
    matrix[((frames - 1) * bands + bandOf(hzOfWord[word], range)) * symbolCount + index + firstWord] = 1
  }
  return float(matrix, [frames * bands, symbolCount])
}

export const floats = (...lengths: readonly (number | string)[]): OnnxValue => ({ type: 'float', shape: lengths })

/** The words as symbols that begin with a space. */
export const wordSymbols = words.map((word) => `▁${word}`)
