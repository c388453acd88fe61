import { SpeechRefusedError } from '@parlance/engine/host'
import type { SpeakCommand, SpeechMarks } from '@parlance/engine/protocol'
import { asciiText } from './ascii-text.js'
import { loadFliteLibrary } from './flite-library.js'
import { speechPieces } from './speech-pieces.js'
import { utteranceMarks } from './utterance-marks.js'
import { type FliteVoice, voices } from './voices.js'

/** Where speech goes. */
export interface SpeakerOutput {
  /** Mono s16 samples; answers whether more is wanted. */
  audio(samples: Int16Array): boolean
  /** Times from the first sample, of what has been spoken since the last marks. */
  marks(marks: SpeechMarks): void
}

export interface Speaker {
  readonly version: string
  readonly sampleRateHz: number
  /** Those that are installed. */
  readonly voices: readonly FliteVoice[]
  /** Speaks to the end, or until no more is wanted, before it returns. Throws `SpeechRefusedError`. */
  speak(command: SpeakCommand, output: SpeakerOutput): void
}

/** Of all the voices that are used here. */
const sampleRateHz = 16_000

const msOf = (samples: number): number => (samples * 1000) / sampleRateHz

const amplified = (samples: Int16Array, factor: number): Int16Array =>
  factor === 1 ? samples : samples.map((sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * factor))))

/** One a process. Rejects with an `EngineUnavailableError` where there is no flite. */
export const openSpeaker = async (folder?: string): Promise<Speaker> => {
  let listen: (samples: Int16Array) => boolean = () => false
  const names = voices.map(({ fliteName }) => fliteName)
  const flite = await loadFliteLibrary(folder, names, (samples) => listen(samples))
  const installed = voices.filter(({ fliteName }) => flite.voices.has(fliteName))
  const voicesById = new Map(installed.map((voice) => [voice.id, voice]))

  const chosenVoice = ({ voiceId, variant, language }: SpeakCommand): FliteVoice => {
    const voice = voicesById.get(voiceId)
    if (voice === undefined) throw new SpeechRefusedError('there is no such voice')
    if (!voice.variants.some(({ id }) => id === variant)) throw new SpeechRefusedError('the voice has no such variant')
    const tag = (language ?? voice.languages[0]!).toLowerCase()
    if (voice.languages.some((spoken) => spoken.toLowerCase() === tag)) return voice
    throw new SpeechRefusedError('the voice does not speak this language')
  }

  return {
    version: flite.version,
    sampleRateHz,
    voices: installed,

    speak: (command, output) => {
      const voice = flite.voices.get(chosenVoice(command).fliteName)!
      const { text: ascii, starts, ends } = asciiText(command.text)
      let samplesMade = 0
      let wanted = true
      /** Where the last word ends: a piece may end within what one character is written as. */
      let wordsEnd = 0
      listen = (samples) => {
        samplesMade += samples.length
        wanted = output.audio(amplified(samples, command.volume))
        return wanted
      }
      flite.setStretch(voice, 1 / command.speed)

      let offset = 0
      for (const piece of speechPieces(ascii)) {
        const pieceOffset = offset
        offset += piece.length
        if (!/\S/.test(piece)) continue
        const startMs = msOf(samplesMade)
        const utterance = flite.synthesize(piece, voice)
        if (wanted && utterance !== null) {
          const endMs = msOf(samplesMade)
          const onClock = (times: { startMs: number; endMs: number }) => ({
            startMs: Math.min(Math.round(startMs + times.startMs), Math.floor(endMs)),
            endMs: Math.min(Math.round(startMs + times.endMs), Math.floor(endMs)),
          })
          const { words, phonemes } = utteranceMarks(flite, utterance, piece)
          output.marks({
            words: words.flatMap((word) => {
              const textStart = Math.max(starts[pieceOffset + word.start]!, wordsEnd)
              const textEnd = ends[pieceOffset + word.end - 1]!
              if (textStart >= textEnd) return []
              wordsEnd = textEnd
              return { text: command.text.slice(textStart, textEnd), textStart, textEnd, ...onClock(word) }
            }),
            phonemes: phonemes.map(({ ipa, ...times }) => ({ ipa, ...onClock(times) })),
          })
        }
        if (utterance !== null) flite.deleteUtterance(utterance)
        if (!wanted) return
      }
    },
  }
}
