/**
 * What the speech of all engines has in common: it starts at once, all voices are equally loud, and nothing is
 * clipped.
 */
import type { SpeechMarks } from '../protocol/index.js'
import type { JobOutput } from './speech-output.js'

/** Samples of at most this size, -50 dB of full scale, are silence. */
const silenceLevel = 103
/** Silence that is left before the first sound, so that its onset is not cut off. */
const leadMs = 10

/** Samples up to this size, -2.5 dB of full scale, are not compressed. */
const knee = 0.75 * 32_767
const room = 32_767 - knee

/** A sample times a factor: exact up to the knee, and compressed above it so that it stays within full scale. */
const amplified = (sample: number, factor: number): number => {
  const exact = sample * factor
  const size = Math.abs(exact)
  return Math.round(size <= knee ? exact : Math.sign(exact) * (knee + room * Math.tanh((size - knee) / room)))
}

export interface FinishOptions {
  /** The sample rate of the audio, which is mono. */
  readonly sampleRateHz: number
  /** The factor by which each sample is multiplied. */
  readonly factor: number
}

/**
 * Passes a job's speech on without the silence before its first sound, at another volume. The times of the marks move with the
 * audio. The removed silence is subtracted from the pause after the text, since the silence before the next text is
 * removed too.
 */
export const finishSpeech = (output: JobOutput, { sampleRateHz, factor }: FinishOptions): JobOutput => {
  const leadSamples = Math.round((leadMs * sampleRateHz) / 1000)
  let hasSound = false
  let droppedSamples = 0
  /** The last samples before the first sound. */
  let lead: Int16Array = new Int16Array(0)

  const send = (samples: Int16Array) => output.audio(samples.map((sample) => amplified(sample, factor)))

  const shifted = ({ words, phonemes, pauseMs, ...rest }: SpeechMarks): SpeechMarks => {
    if (!hasSound) return { ...rest, words: [], phonemes: [], pauseMs }
    const droppedMs = Math.ceil((droppedSamples * 1000) / sampleRateHz)
    const moved = <Mark extends { readonly startMs: number; readonly endMs: number }>(mark: Mark): Mark => ({
      ...mark,
      startMs: Math.max(0, mark.startMs - droppedMs),
      endMs: Math.max(0, mark.endMs - droppedMs),
    })
    return {
      ...rest,
      words: words.map(moved),
      phonemes: phonemes.map(moved),
      pauseMs: pauseMs === undefined ? undefined : pauseMs + droppedMs,
    }
  }

  return {
    ...output,
    audio(samples) {
      if (hasSound) return send(samples)
      const first = samples.findIndex((sample) => Math.abs(sample) > silenceLevel)
      hasSound = first !== -1
      const silent = Int16Array.from([...lead, ...samples.subarray(0, hasSound ? first : samples.length)])
      lead = silent.slice(-leadSamples)
      droppedSamples += silent.length - lead.length
      if (!hasSound) return output.isWanted()
      return send(Int16Array.from([...lead, ...samples.subarray(first)]))
    },
    marks: (marks) => output.marks(shifted(marks)),
    end: (marks) => output.end(marks && shifted(marks)),
  }
}
