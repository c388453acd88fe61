import { concatPcm } from '@parlance/audio'
import type { AudioFilter } from '../../media/noise-suppression.js'
import { frameMs } from '../../media/transport.js'
import type { Recognizer } from '../../stt/recognizer.js'
import type { TurnDetector } from '../../turn-detector/turn-detector.js'
import type { VoiceDetector } from '../../turn-detector/voice-activity/voice-detector.js'
import { createRecognitions, type RecognitionsOptions } from './recognitions.js'

export interface UserAudioOptions extends Omit<RecognitionsOptions, 'recognizer'> {
  /** It may change in the course of the conversation. */
  inputMode(): 'push-to-talk' | 'automatic'
  readonly recognizer: Recognizer | undefined
  readonly voiceDetector: VoiceDetector | undefined
  readonly turnDetector: Pick<TurnDetector, 'audioMs'> | undefined
  /** Applied before voice detection and recognition. */
  readonly audioFilter?: AudioFilter | undefined
  /** `agoMs` is how long ago the voice began or ended. */
  onVoice(on: boolean, agoMs: number): void
  /** Receives what the conversation uses of the microphone: nothing while it is muted or the button is released. */
  readonly onUserAudio?: ((frame: Int16Array) => void) | undefined
}

/** The detector is late, a voice counts only after a while, and its first consonant may be too soft for both. */
const preRollFrames = 400 / frameMs
/** Audio that was spoken before the button was released arrives after that event. */
const tailMs = 100
/** Without frames for so long the voice has ended. A shorter gap is jitter. */
const starvedMs = 1000

/** Detects voice in the user's audio and passes it to recognition. */
export const createUserAudio = (options: UserAudioOptions) => {
  const { inputMode, recognizer, voiceDetector, turnDetector, audioFilter, onVoice, onUserAudio } = options
  const recognitions = recognizer && createRecognitions({ ...options, recognizer })
  let preRoll: Int16Array[] = []
  /** The end of the utterance in progress, for the turn detector. */
  let recent: Int16Array[] = []
  const maxRecentFrames = Math.ceil((turnDetector?.audioMs ?? 0) / frameMs)
  let muted = false
  let voice = false
  let starved: NodeJS.Timeout | undefined
  /** The squares of the voiced samples of the utterance, and their number. */
  let squares = 0
  let voicedSamples = 0
  /** An utterance that is over but for its last audio. */
  let tail: { readonly utterance: number; readonly timer: NodeJS.Timeout } | undefined

  const setVoice = (on: boolean, agoMs: number): void => {
    if (on === voice) return
    voice = on
    if (on) recognitions?.voice()
    onVoice(on, agoMs)
  }

  /** The audio that follows has no connection to the audio before. */
  const interruptAudio = (agoMs: number): void => {
    clearTimeout(starved)
    preRoll = []
    voiceDetector?.reset()
    setVoice(false, agoMs)
  }

  const measure = (frame: Int16Array): void => {
    for (const sample of frame) squares += sample * sample
    voicedSamples += frame.length
  }

  const watchStarvation = (): void => {
    clearTimeout(starved)
    if (voice) starved = setTimeout(() => interruptAudio(starvedMs), starvedMs)
  }

  const endTail = (): void => {
    if (tail === undefined) return
    clearTimeout(tail.timer)
    const { utterance } = tail
    tail = undefined
    recognitions?.finish(utterance)
  }

  return {
    /** The next 20 ms. */
    push(received: Int16Array) {
      if (muted || voiceDetector === undefined || recognitions === undefined) return
      if (inputMode() === 'push-to-talk' && !recognitions.isRecording()) return
      onUserAudio?.(received)
      const frame = audioFilter?.filter(received) ?? received
      if (recognitions.isRecording()) {
        recognitions.push(frame)
        recent.push(frame)
        if (recent.length > maxRecentFrames) recent.shift()
      } else preRoll = [...preRoll, frame].slice(-preRollFrames)
      setVoice(voiceDetector.detect(frame), voiceDetector.changedAgoMs())
      if (voice) measure(frame)
      watchStarvation()
    },

    mute(on: boolean) {
      muted = on
      if (on) interruptAudio(0)
    },

    /** Recognizes from now on. What voice started begins 400 ms ago, so that its first sound is part of it. */
    begin(utterance: number) {
      if (recognitions === undefined) return
      endTail()
      if (inputMode() === 'push-to-talk') {
        preRoll = []
        voice = false
        voiceDetector?.reset()
      }
      squares = 0
      voicedSamples = 0
      recognitions.begin(utterance, preRoll)
      recent = preRoll
      preRoll = []
    },

    /** The text so far of an utterance; undefined where it is not known. Never rejects. */
    preview: async (utterance: number) => recognitions?.preview(utterance, !voice),

    /** The utterance is over: `onFinal` or `onFailed` follows unless it is cancelled. */
    finish(utterance: number) {
      if (inputMode() === 'automatic') recognitions?.finish(utterance)
      else tail = { utterance, timer: setTimeout(endTail, tailMs) }
    },

    cancel: (utterance: number) => recognitions?.cancel(utterance),
    /** The audio of the utterance in progress, as much of its end as the turn detector uses. */
    recent: () => concatPcm(recent),
    /** The mean level of the voice in the utterance that began last, in dB of full scale; undefined before any voice. */
    levelDb: () => (squares === 0 ? undefined : Math.round(10 * Math.log10(squares / voicedSamples / 2 ** 30))),

    /** Cancels every utterance. */
    close() {
      clearTimeout(starved)
      clearTimeout(tail?.timer)
      recognitions?.cancelAll()
      audioFilter?.close()
    },
  }
}
