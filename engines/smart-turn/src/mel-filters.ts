/** Slaney's mel scale: linear up to 1 kHz, logarithmic above. */
const linearMelHz = 200 / 3
const logFromHz = 1000
const logFromMel = logFromHz / linearMelHz
const logStep = Math.log(6.4) / 27

const melOf = (hz: number): number =>
  hz < logFromHz ? hz / linearMelHz : logFromMel + Math.log(hz / logFromHz) / logStep

const hzOf = (mel: number): number =>
  mel < logFromMel ? mel * linearMelHz : logFromHz * Math.exp((mel - logFromMel) * logStep)

/** A band: a triangle over bins of a spectrum. */
interface MelFilter {
  readonly firstBin: number
  readonly weights: Float64Array
}

interface MelFilterOptions {
  readonly bandCount: number
  /** From 0 Hz to half of the sample rate, both included. */
  readonly binCount: number
  readonly sampleRateHz: number
}

/**
 * Bands that are equally wide on the mel scale, from 0 Hz to half of the sample rate. Each begins at the peak of the one
 * before and ends at the peak of the next, and all have the same area.
 */
export const melFilters = ({ bandCount, binCount, sampleRateHz }: MelFilterOptions): readonly MelFilter[] => {
  const highestHz = sampleRateHz / 2
  const binHz = highestHz / (binCount - 1)
  const edgeHz = (index: number) => hzOf((melOf(highestHz) * index) / (bandCount + 1))
  return Array.from({ length: bandCount }, (_, band) => {
    const [lowHz, peakHz, highHz] = [edgeHz(band), edgeHz(band + 1), edgeHz(band + 2)]
    const weightAt = (hz: number) =>
      (2 / (highHz - lowHz)) * Math.max(0, Math.min((hz - lowHz) / (peakHz - lowHz), (highHz - hz) / (highHz - peakHz)))
    const firstBin = Math.ceil(lowHz / binHz)
    const lastBin = Math.min(binCount - 1, Math.floor(highHz / binHz))
    const weights = Float64Array.from({ length: lastBin - firstBin + 1 }, (_, index) =>
      weightAt((firstBin + index) * binHz),
    )
    return { firstBin, weights }
  })
}
