/**
 * Conceals lost audio by repeating the last period of the voice, which changes little within 20 ms. The audio after the loss
 * is cross-faded with the repetition, so that there is no step.
 */
import { receivedRateHz } from '../transport.js'

export interface LossConcealment {
  /** Takes received audio in order. Changes it in place when it follows concealed audio, and returns it. */
  receive(pcm: Int16Array): Int16Array
  /** Returns this number of samples of concealed audio, which fades to silence within 60 ms. */
  conceal(samples: number): Int16Array
}

const samplesPerMs = receivedRateHz / 1000
const fadeOutSamples = 60 * samplesPerMs
const crossFadeSamples = 5 * samplesPerMs
/** The periods of voices from 400 down to 62 Hz. */
const minPeriod = Math.round(2.5 * samplesPerMs)
const maxPeriod = 16 * samplesPerMs
/** The end of the audio that is compared with earlier audio. */
const comparedSamples = 10 * samplesPerMs
const keptSamples = maxPeriod + comparedSamples

export const createLossConcealment = (): LossConcealment => {
  let last = new Int16Array(keptSamples)
  let period = maxPeriod
  /** Samples concealed since the last received audio. */
  let filled = 0

  const conceal = (samples: number): Int16Array => {
    if (filled === 0) period = findPeriod(last)
    const pcm = new Int16Array(samples)
    const start = keptSamples - period
    for (let at = 0; at < samples && filled < fadeOutSamples; at++, filled++) {
      pcm[at] = Math.round((last[start + (filled % period)] as number) * (1 - filled / fadeOutSamples))
    }
    return pcm
  }

  return {
    receive(pcm) {
      if (filled > 0) {
        const concealed = conceal(Math.min(crossFadeSamples, pcm.length))
        for (const [at, sample] of concealed.entries()) {
          const share = at / concealed.length
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
    conceal,
  }
}

/** The period after which the end of the audio is most similar to itself, in samples. */
const findPeriod = (pcm: Int16Array): number => {
  const end = pcm.length - comparedSamples
  let best = maxPeriod
  let bestSimilarity = 0
  for (let period = minPeriod; period <= maxPeriod; period++) {
    let product = 0
    let energy = 1
    for (let at = end; at < pcm.length; at++) {
      const before = pcm[at - period] as number
      product += (pcm[at] as number) * before
      energy += before * before
    }
    const similarity = product > 0 ? (product * product) / energy : 0
    if (similarity > bestSimilarity) {
      best = period
      bestSimilarity = similarity
    }
  }
  return best
}
