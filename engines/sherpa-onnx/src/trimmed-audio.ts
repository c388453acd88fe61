import { concatPcm, msToSamples } from '@parlance/audio'
import { silenceLevel } from '@parlance/speech/sentences'

/** The silence before the first sound, so that its onset is not cut off. */
const maxLeadMs = 10
/** The audio after the last sound, which fades out below the level of silence. */
const minTailMs = 30

const isSound = (sample: number) => Math.abs(sample) > silenceLevel

/**
 * Trims the silence around the audio of a piece, whose length varies between models. A short silence remains at the start,
 * and the required pause at the end. The audio arrives in parts, whose final silence is withheld until the next part.
 * Samples are mono.
 */
export const createTrimmedAudio = (sampleRateHz: number) => {
  let kept: Int16Array = new Int16Array(0)
  let hasSound = false
  return {
    /** Takes the next samples and returns what may be sent; nothing while there is no sound. */
    add(pcm: Int16Array): Int16Array {
      const first = pcm.findIndex(isSound)
      if (first === -1) {
        kept = concatPcm([kept, pcm])
        return new Int16Array(0)
      }
      const afterSound = pcm.findLastIndex(isSound) + 1
      const whole = concatPcm([kept, pcm.subarray(0, afterSound)])
      const silent = hasSound ? 0 : Math.max(0, kept.length + first - msToSamples(maxLeadMs, sampleRateHz))
      kept = pcm.slice(afterSound)
      hasSound = true
      return whole.subarray(silent)
    },
    /** Returns the silence at the end, which lasts `maxMs` at most. */
    end: (maxMs: number): Int16Array =>
      hasSound ? kept.subarray(0, msToSamples(Math.max(minTailMs, maxMs), sampleRateHz)) : new Int16Array(0),
  }
}
