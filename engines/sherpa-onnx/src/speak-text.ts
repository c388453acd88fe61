import { concatPcm, msToSamples } from '@parlance/audio'
import type { SpeechOutput } from '@parlance/engine/host'
import { punctuationPauseMs, speechPieces } from '@parlance/speech/sentences'
import type { Synthesizer } from './synthesizer.js'
import { createTrimmedAudio } from './trimmed-audio.js'
import { type WordSource, wordMarks } from './word-marks.js'

interface TextToSpeak {
  readonly text: string
  /** A BCP 47 tag. */
  readonly language: string
  /** The model's own number of its speaker. */
  readonly speakerId: number
  readonly speed: number
  /** Whether a listener waits for the first audio. */
  readonly isAwaited: boolean
}

/** Converts samples between -1 and 1 to s16; larger ones are clipped. */
const pcmOf = (samples: Float32Array): Int16Array =>
  Int16Array.from(samples, (sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_767))))

/**
 * Speaks a text piece by piece, with the pause after each that its punctuation requires: the model makes part of it, silence
 * is added for the rest, and a longer pause of the model is shortened. The marks report the remaining pause after the
 * last piece. Ends once `output` wants no more, also while the model is at work within a piece, whose rest is discarded.
 * Rejects with `NativeWorkError`.
 */
export const speakText = async (
  { text, language, speakerId, speed, isAwaited }: TextToSpeak,
  output: SpeechOutput,
  { synthesizer, words }: { readonly synthesizer: Synthesizer; readonly words: WordSource },
): Promise<void> => {
  const { sampleRateHz } = synthesizer
  let samplesBefore = 0
  let pauseMs = 0
  for (const piece of speechPieces(text, { language, isAwaited })) {
    const made: Int16Array[] = []
    const trimmed = createTrimmedAudio(sampleRateHz)
    const pauseSamples = msToSamples(pauseMs, sampleRateHz)
    const send = (pcm: Int16Array): boolean => {
      if (pcm.length === 0) return output.isWanted()
      if (made.length === 0 && pauseSamples > 0 && !output.audio(new Int16Array(pauseSamples))) return false
      made.push(pcm)
      return output.audio(pcm)
    }
    const spoken = synthesizer.speak(
      { text: piece.text.trim(), speakerId, speed },
      { take: (samples) => send(trimmed.add(pcmOf(samples))), isWanted: output.isWanted },
    )
    // A failure of discarded audio is ignored.
    spoken.catch(() => {})
    await Promise.race([spoken, output.whenUnwanted()])
    if (!output.isWanted()) return
    // A piece without sound, such as a row of dashes, leaves the pause before it.
    if (made.length === 0) continue
    const wantedMs = punctuationPauseMs(piece.untilNext, { language, speed })
    const tail = trimmed.end(wantedMs)
    send(tail)
    const pcm = concatPcm(made)
    samplesBefore += pauseSamples
    pauseMs = Math.max(0, wantedMs - (tail.length * 1000) / sampleRateHz)
    output.marks({ ...wordMarks(piece, { pcm, sampleRateHz, samplesBefore }, words), pauseMs })
    samplesBefore += pcm.length
  }
}
