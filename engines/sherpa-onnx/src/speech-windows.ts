import { sampleRate } from './model-recognizer.js'

/** A long utterance is divided where it is quietest, in the last third of a window. */
const searchedShare = 1 / 3
const quietSamples = sampleRate / 5

const energyOf = (samples: Int16Array): number => samples.reduce((sum, sample) => sum + sample * sample, 0)

/** The middle of the quietest 200 ms between two places. */
const quietestPlace = (samples: Int16Array, start: number, end: number): number => {
  let quietest = { at: end, energy: Number.POSITIVE_INFINITY }
  for (let at = start; at + quietSamples <= end; at += quietSamples / 2) {
    const energy = energyOf(samples.subarray(at, at + quietSamples))
    if (energy < quietest.energy) quietest = { at: at + quietSamples / 2, energy }
  }
  return quietest.at
}

/** Divides s16 samples at 16 kHz into parts of at most `maxMs`, between words as far as there are pauses. */
export const speechWindows = (samples: Int16Array, maxMs: number): Int16Array[] => {
  const maxSamples = (maxMs * sampleRate) / 1000
  const windows: Int16Array[] = []
  let rest = samples
  while (rest.length > maxSamples) {
    const place = quietestPlace(rest, Math.round(maxSamples * (1 - searchedShare)), maxSamples)
    windows.push(rest.subarray(0, place))
    rest = rest.subarray(place)
  }
  return [...windows, rest]
}
