import { chosenVoice } from '@parlance/engine/host'
import type { SpeakCommand, SpeechMarks } from '@parlance/engine/protocol'
import { endsSentence, punctuationPauseMs } from '@parlance/speech/sentences'
import { asciiText } from './ascii-text.js'
import { installHint, loadFliteLibrary, type OnAudio } from './flite-library.js'
import { speechPieces } from './speech-pieces.js'
import { type UtteranceSound, utteranceMarks, utteranceSound } from './utterance-marks.js'
import { type FliteVoice, voices } from './voices.js'

/** Silence that is left at the end of an utterance's audio, which ends without its last pause. */
const tailMs = 20

interface UtterancePauses {
  readonly speed: number
  /** The pauses in ms that flite made before and after the sound of the utterance. */
  readonly firstPauseMs: number
  readonly lastPauseMs: number
}

/**
 * Returns the silence in ms between the audio of `text` and that of the next utterance, whose own first pause is left out.
 * After a sentence it is at least the two pauses that flite makes between two utterances. Within a sentence flite makes one
 * pause at a comma, as long as the first of an utterance.
 */
const pauseAfterMs = (text: string, { speed, firstPauseMs, lastPauseMs }: UtterancePauses): number => {
  const madeMs = firstPauseMs + (endsSentence(text) ? lastPauseMs : 0)
  return Math.max(0, Math.max(madeMs, punctuationPauseMs(text, { language: 'en', speed })) - tailMs)
}

/** Receives speech. */
export interface SynthesizerOutput {
  /** Receives mono s16 samples; returns whether more is wanted. */
  audio(samples: Int16Array): boolean
  /** Receives the words and phonemes since the last marks, with times in ms from the first sample. */
  marks(marks: SpeechMarks): void
}

/** The sample rate of all four voices. */
const sampleRateHz = 16_000

const msOf = (samples: number): number => (samples * 1000) / sampleRateHz
const samplesOf = (ms: number): number => Math.round((ms * sampleRateHz) / 1000)

const missingVoices = (missing: readonly FliteVoice[], files: readonly string[]): string | undefined => {
  if (missing.length === 0) return undefined
  const names = missing.map(({ displayName }) => displayName).join(', ')
  return `Some voices of flite are not offered: ${names}. Missing or not loadable: ${files.join(', ')} ${installHint}`
}

const open = async (folder?: string) => {
  let listen: OnAudio = () => false
  const names = voices.map(({ fliteName }) => fliteName)
  const flite = await loadFliteLibrary(folder, names, (samples, utterance) => listen(samples, utterance))
  const installed = voices.filter(({ fliteName }) => flite.voices.has(fliteName))
  const voicesById = new Map(installed.map((voice) => [voice.id, voice]))

  return {
    version: flite.version,
    sampleRateHz,
    /** The voices that are installed. */
    voices: installed,
    /** A sentence for the log that names the other voices and their package; undefined when all are installed. */
    missing: missingVoices(
      voices.filter((voice) => !installed.includes(voice)),
      flite.missingFiles,
    ),

    /**
     * Speaks a text to its end, or until no more is wanted. Throws `SpeechRefusedError` for a voice, variant or language that
     * does not exist.
     */
    speak: (command: SpeakCommand, output: SynthesizerOutput): void => {
      const voice = flite.voices.get(chosenVoice(voicesById, command).voice.fliteName)!
      const { speed } = command
      const { text: ascii, starts, ends } = asciiText(command.text)
      let samplesSent = 0
      let wanted = true
      let pauseMs = 0
      /** The end of the last word in the original. A piece may end within the spelling of one original character. */
      let wordsEnd = 0
      const send = (samples: Int16Array) => {
        samplesSent += samples.length
        if (samples.length > 0) wanted = output.audio(samples)
      }
      flite.setStretch(voice, 1 / speed)

      /** Speaks a piece after the pause before it, and without its own first and last pause: it lasts as long in any text. */
      const speakPiece = (piece: string) => {
        const made = { sound: undefined as UtteranceSound | undefined, startMs: 0, samples: 0 }
        listen = (samples, utterance) => {
          if (made.sound === undefined) {
            made.sound = utteranceSound(flite, utterance)
            send(new Int16Array(samplesOf(pauseMs)))
            made.startMs = msOf(samplesSent)
          }
          const within = (ms: number) => Math.max(0, samplesOf(ms) - made.samples)
          if (wanted) send(samples.subarray(within(made.sound.startMs), within(made.sound.endMs + tailMs)))
          made.samples += samples.length
          return wanted
        }
        return { utterance: flite.synthesize(piece, voice), made }
      }

      let offset = 0
      for (const piece of speechPieces(ascii)) {
        const pieceOffset = offset
        offset += piece.length
        if (!/\S/.test(piece)) continue
        const { utterance, made } = speakPiece(piece)
        const { sound, startMs } = made
        if (wanted && utterance !== null && sound !== undefined) {
          const endMs = msOf(samplesSent)
          const original = command.text.slice(starts[pieceOffset]!, ends[offset - 1]!)
          pauseMs = pauseAfterMs(original, {
            speed,
            firstPauseMs: sound.startMs,
            lastPauseMs: msOf(made.samples) - sound.endMs,
          })
          const placed = (ms: number) =>
            Math.min(Math.round(startMs + Math.max(0, ms - sound.startMs)), Math.floor(endMs))
          const onClock = (times: { startMs: number; endMs: number }) => ({
            startMs: placed(times.startMs),
            endMs: placed(times.endMs),
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
            pauseMs,
          })
        }
        if (utterance !== null) flite.deleteUtterance(utterance)
        if (!wanted) return
      }
    },
  }
}

export type Synthesizer = Awaited<ReturnType<typeof open>>

const opened = new Map<string | undefined, Promise<Synthesizer>>()

/**
 * Loads flite and its voices from a folder, or from where the system finds them. They belong to the process, and a voice sends
 * its audio to one listener, so a folder has one synthesizer. Wrong files may end the process. Rejects with
 * `EngineUnavailableError` when flite or all of the voices are missing.
 */
export const openSynthesizer = (folder?: string): Promise<Synthesizer> => {
  const synthesizer = opened.get(folder) ?? open(folder)
  opened.set(folder, synthesizer)
  return synthesizer
}
