import { SpeechRefusedError } from '@parlance/engine-host'
import type { SpeakCommand, SpeechMarks } from '@parlance/engine-protocol'
import { loadEspeakModule } from './espeak-module.js'
import { speakableText } from './speakable-text.js'
import { speechMarks } from './speech-marks.js'
import { type EspeakVoice, voices } from './voices.js'

/** A block of mono s16 samples, at most 100 ms of them. Answering false ends the speech there. */
export type OnAudio = (samples: Int16Array) => boolean

export interface Speaker {
  readonly sampleRateHz: number
  /** Speaks to the end before it returns; undefined when `onAudio` ended it early. Throws `SpeechRefusedError`. */
  speak(command: SpeakCommand, onAudio: OnAudio): SpeechMarks | undefined
}

const voicesById = new Map(voices.map((voice) => [voice.id, voice]))

const espeakLanguage = (voice: EspeakVoice, tag: string | null): string => {
  const wanted = (tag ?? voice.languages[0]!).toLowerCase()
  const spoken = voice.languages.find((language) => language.toLowerCase() === wanted)
  if (spoken === undefined) throw new SpeechRefusedError('the voice does not speak this language')
  return voice.espeakLanguages[spoken]!
}

/** An IPA symbol is cut off after 8 bytes, sometimes in the middle of a character. */
const wholeCharacters = (ipa: string): string => ipa.replace(/[\0-\x1f\ufffd]/g, '')

/** eSpeak's state is global: one speaker a process. */
export const openSpeaker = async (): Promise<Speaker> => {
  const module = await loadEspeakModule()
  const worker = new module.eSpeakNGWorker()
  const sampleRateHz = worker.get_samplerate()

  return {
    sampleRateHz,

    speak: ({ text, voiceId, variant, language, speed, volume }, onAudio) => {
      const voice = voicesById.get(voiceId)
      if (voice === undefined) throw new SpeechRefusedError('there is no such voice')
      if (!voice.variants.some(({ id }) => id === variant))
        throw new SpeechRefusedError('the voice has no such variant')

      // All of it for every job, so that nothing of the job before is left.
      worker.set_voice(`${espeakLanguage(voice, language)}+${voice.timbre}`)
      worker.set_rate(Math.round(voice.wordsPerMinute * speed))
      worker.set_pitch(voice.pitch)
      worker.set_range(voice.range)
      worker.set_volume(Math.round(voice.loudness * volume))

      const speakable = speakableText(text)
      const words: { offset: number; sound: number }[] = []
      const sounds: { ipa: string; ms: number }[] = []
      let samplesMade = 0
      let wanted = true
      worker.synthesize(speakable.text, (samples, events) => {
        for (const { type, text_position, audio_position: ms, id } of events) {
          if (type === 'word')
            words.push({ offset: speakable.offsets[text_position - 1] ?? text.length, sound: sounds.length })
          else if (type === 'phoneme') sounds.push({ ipa: wholeCharacters(String(id)), ms })
        }
        samplesMade += samples.length
        if (samples.length > 0) wanted = onAudio(samples)
        return !wanted
      })
      return wanted ? speechMarks(text, { words, sounds }, Math.floor((samplesMade * 1000) / sampleRateHz)) : undefined
    },
  }
}
