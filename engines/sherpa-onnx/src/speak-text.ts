import { applyGain, concatPcm, msToSamples } from '@parlance/audio'
import type { SpeechOutput } from '@parlance/engine/host'
import { createTrailingSilence, punctuationPauseMs } from '@parlance/speech/sentences'
import type { Speaker } from './speaker.js'
import { speechPieces } from './speech-piece.js'
import { type WordSource, wordMarks } from './word-marks.js'

export interface TextToSpeak {
  readonly text: string
  /** A BCP 47 tag. */
  readonly language: string
  /** The model's own number of its speaker. */
  readonly speakerId: number
  readonly speed: number
  readonly volume: number
}

/** s16 samples of those between -1 and 1; what is beyond is clipped. */
const pcmOf = (samples: Float32Array): Int16Array =>
  Int16Array.from(samples, (sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_767))))

/**
 * Speaks a text piece by piece, with the pause after each that its punctuation asks for: the model makes part of it, silence
 * is added for the rest. The marks report the pause that is left after the last piece. Ends early once `output` wants no more.
 * Rejects with `NativeWorkError`.
 */
export const speakText = async (
  { text, language, speakerId, speed, volume }: TextToSpeak,
  output: SpeechOutput,
  { speaker, words }: { readonly speaker: Speaker; readonly words: WordSource },
): Promise<void> => {
  const { sampleRateHz } = speaker
  let samplesBefore = 0
  let pauseMs = 0
  for (const piece of speechPieces(text, language)) {
    const made: Int16Array[] = []
    const trailing = createTrailingSilence(sampleRateHz)
    const pauseSamples = msToSamples(pauseMs, sampleRateHz)
    const onSamples = (samples: Float32Array): boolean => {
      // Word times and silence are measured at the model's own loudness.
      const pcm = pcmOf(samples)
      if (made.length === 0 && pauseSamples > 0 && !output.audio(new Int16Array(pauseSamples))) return false
      made.push(pcm)
      trailing.add(pcm)
      return output.audio(applyGain(pcm, volume))
    }
    await speaker.speak({ text: piece.text.trim(), speakerId, speed }, onSamples)
    if (!output.isWanted()) return
    const pcm = concatPcm(made)
    // A piece without sound, such as a row of dashes, leaves the pause before it.
    if (pcm.length === 0) continue
    samplesBefore += pauseSamples
    pauseMs = Math.max(0, punctuationPauseMs(piece.untilNext, { language, speed }) - trailing.ms())
    output.marks({ ...wordMarks(piece, { pcm, sampleRateHz, samplesBefore }, words), pauseMs })
    samplesBefore += pcm.length
  }
}
