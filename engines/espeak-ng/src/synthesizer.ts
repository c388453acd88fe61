import { chosenVoice, EngineUnavailableError } from '@parlance/engine/host'
import type { SpeakCommand, SpeechMarks } from '@parlance/engine/protocol'
import type { Espeak, Implementation } from './espeak.js'
import { openNativeEspeak } from './native-espeak.js'
import { speakableText } from './speakable-text.js'
import { speechMarks } from './speech-marks.js'
import { createTrailingPause, silentClauseAfter } from './trailing-pause.js'
import { voices } from './voices.js'

export interface SynthesizerChoice {
  /** `auto`, the default, uses the system's library where it is installed. */
  readonly implementation?: Implementation | 'auto' | undefined
  /** The path of libespeak-ng; by default the system finds it. */
  readonly library?: string | undefined
}

/** Receives a block of mono s16 samples, at most 150 ms, which is overwritten afterwards. Returns false to stop the speech. */
export type OnAudio = (samples: Int16Array) => boolean

const voicesById = new Map(voices.map((voice) => [voice.id, voice]))

/** The WebAssembly build is not loaded where the system has the library. */
const openWasmEspeak = async (): Promise<Espeak> => (await import('./wasm-espeak.js')).openWasmEspeak()

/** Also returns why the native library, which was tried first, is not used. */
const openEspeak = async ({
  implementation = 'auto',
  library,
}: SynthesizerChoice): Promise<Espeak & { readonly nativeUnavailable?: string }> => {
  if (implementation === 'wasm') return openWasmEspeak()
  try {
    return await openNativeEspeak(library)
  } catch (error) {
    if (implementation === 'native' || !(error instanceof EngineUnavailableError)) throw error
    return { ...(await openWasmEspeak()), nativeUnavailable: error.message }
  }
}

/**
 * Opens one implementation of eSpeak NG. A process has one native synthesizer: the library has one listener. Rejects with
 * `EngineUnavailableError` when the implementation that was asked for cannot be used.
 */
export const openSynthesizer = async (choice: SynthesizerChoice = {}) => {
  const espeak = await openEspeak(choice)
  const { implementation, nativeUnavailable, version, sampleRateHz } = espeak

  return {
    version,
    /** The implementation in use, and why the native library is not used where it was tried. */
    info: { implementation, ...(nativeUnavailable === undefined ? {} : { native_unavailable: nativeUnavailable }) },
    sampleRateHz,

    /**
     * Speaks a text to its end, without the pause after it, and returns the marks; undefined when `onAudio` stopped it. Throws
     * `SpeechRefusedError` for a voice, variant or language that does not exist.
     */
    speak: (command: SpeakCommand, onAudio: OnAudio): SpeechMarks | undefined => {
      const { text, speed, phonemes = true } = command
      const { voice, language } = chosenVoice(voicesById, command)
      const style = {
        voice: `${voice.espeakLanguages[language]!}+${voice.timbre}`,
        wordsPerMinute: Math.round(voice.wordsPerMinute * speed),
        pitch: voice.pitch,
        range: voice.range,
        volume: voice.loudness,
      }
      const speakable = speakableText(text)
      const words: { offset: number; sound: number }[] = []
      const sounds: { ipa: string; ms: number }[] = []
      const silentClause = silentClauseAfter(speakable.text)
      let samplesMade = 0
      let wanted = true
      const pause = createTrailingPause(silentClause, sampleRateHz, (samples) => {
        samplesMade += samples.length
        wanted = onAudio(samples)
        return wanted
      })
      espeak.synthesize(speakable.text + silentClause.text, style, {
        onWord: (codePoint) => {
          const offset = speakable.offsets[codePoint]
          if (offset !== undefined) words.push({ offset, sound: sounds.length })
        },
        onSound: (ipa, ms) => {
          sounds.push({ ipa, ms })
          pause.sound(ipa, ms)
        },
        onAudio: pause.audio,
      })
      const pauseMs = wanted ? pause.end() : 0
      if (!wanted) return undefined
      const marks = speechMarks(text, { words, sounds }, Math.floor((samplesMade * 1000) / sampleRateHz))
      return { ...marks, ...(phonemes ? {} : { phonemes: [] }), pauseMs }
    },
  }
}

export type Synthesizer = Awaited<ReturnType<typeof openSynthesizer>>
