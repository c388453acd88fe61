/**
 * Fills what is lost of a voice with its last period, over and over: a voice changes little within 20 ms, and where it ends
 * and where it goes on there is no step.
 */
import { heardRateHz } from '../transport.js'

export interface LossConcealment {
  /** What is heard, in order. Answers the same, blended with what was made up before it. */
  heard(pcm: Int16Array): Int16Array
  /** So many samples of what might have been heard. They fade to silence within 60 ms. */
  fill(samples: number): Int16Array
}

const samplesAMs = heardRateHz / 1000
const fadeOutSamples = 60 * samplesAMs
const blendSamples = 5 * samplesAMs
/** Of voices from 400 down to 62 Hz. */
const shortestPeriod = Math.round(2.5 * samplesAMs)
const longestPeriod = 16 * samplesAMs
/** How much of the end is looked for again before it. */
const comparedSamples = 10 * samplesAMs
const keptSamples = longestPeriod + comparedSamples

export const createLossConcealment = (): LossConcealment => {
  let last = new Int16Array(keptSamples)
  let period = longestPeriod
  /** Made up since something was heard. */
  let filled = 0

  const fill = (samples: number): Int16Array => {
    if (filled === 0) period = findPeriod(last)
    const pcm = new Int16Array(samples)
    const start = keptSamples - period
    for (let at = 0; at < samples && filled < fadeOutSamples; at++, filled++) {
      pcm[at] = Math.round((last[start + (filled % period)] as number) * (1 - filled / fadeOutSamples))
    }
    return pcm
  }

  return {
    heard(pcm) {
      if (filled > 0) {
        const madeUp = fill(Math.min(blendSamples, pcm.length))
        for (const [at, sample] of madeUp.entries()) {
          const share = at / madeUp.length
          pcm[at] = Math.round(sample * (1 - share) + (pcm[at] as number) * share)
        }
        filled = 0
      }
      const kept = new Int16Array(keptSamples)
      const fresh = pcm.subarray(-keptSamples)
      kept.set(last.subarray(fresh.length))
      kept.set(fresh, keptSamples - fresh.length)
      last = kept
      return pcm
    },
    fill,
  }
}

/** After how many samples the end of this is most like itself. */
const findPeriod = (pcm: Int16Array): number => {
  const end = pcm.length - comparedSamples
  let best = longestPeriod
  let bestLikeness = 0
  for (let period = shortestPeriod; period <= longestPeriod; period++) {
    let product = 0
    let energy = 1
    for (let at = end; at < pcm.length; at++) {
      const before = pcm[at - period] as number
      product += (pcm[at] as number) * before
      energy += before * before
    }
    const likeness = product > 0 ? (product * product) / energy : 0
    if (likeness > bestLikeness) {
      best = period
      bestLikeness = likeness
    }
  }
  return best
}
