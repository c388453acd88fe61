import { frameMs } from '../../media/transport.js'
import type { VoiceDetector } from '../../media/voice-activity/voice-detector.js'
import type { Recognition, Recognizer } from '../../stt/recognizer.js'

/** The user's audio on its way to voice events and to text. */
export interface UserAudio {
  /** The next 20 ms. */
  push(frame: Int16Array): void
  mute(muted: boolean): void
  /** Recognizes from now on. What voice started begins 400 ms ago, so that its first sound is part of it. */
  begin(utterance: number): void
  /** The utterance is over: `onFinal` or `onFailed` follows unless it is cancelled. */
  finish(utterance: number): void
  cancel(utterance: number): void
  /** Cancels every utterance. */
  close(): void
}

export interface UserAudioOptions {
  readonly inputMode: 'push-to-talk' | 'automatic'
  /** A BCP 47 tag. */
  readonly language: string
  readonly recognizer: Recognizer | undefined
  readonly voiceDetector: VoiceDetector | undefined
  /** `agoMs` is how long ago the voice began or ended. */
  onVoice(on: boolean, agoMs: number): void
  onPartial(utterance: number, text: string): void
  onFinal(utterance: number, text: string, audioMs: number): void
  onFailed(utterance: number, error: unknown): void
  /** An internal error. */
  onBroken(error: unknown): void
}

/** By how much the detector is late, at the beginning of a voice as at its end. */
const voiceLagMs = 60

/** The detector is late, a voice counts only after a while, and its first consonant may be too soft for both. */
const preRollFrames = 400 / frameMs
/** Audio that was spoken before the button was released arrives after that event. */
const tailMs = 100
/** Without frames for so long the voice has ended. A shorter gap is jitter. */
const starvedMs = 1000

export const createUserAudio = (options: UserAudioOptions): UserAudio => {
  const { inputMode, language, recognizer, voiceDetector } = options
  const { onVoice, onPartial, onFinal, onFailed, onBroken } = options
  const recognitions = new Map<number, Recognition>()
  let current: Recognition | undefined
  let preRoll: Int16Array[] = []
  let muted = false
  let voice = false
  let starved: NodeJS.Timeout | undefined
  /** An utterance that is over but for its last audio. */
  let tail: { readonly utterance: number; readonly timer: NodeJS.Timeout } | undefined
  /** A recognizer adapts to a voice and its microphone, and knows them again by this object. */
  const speaker = {}

  const setVoice = (on: boolean, agoMs: number): void => {
    if (on === voice) return
    voice = on
    onVoice(on, agoMs)
  }

  /** The audio that follows has no connection to the audio before. */
  const interruptAudio = (agoMs: number): void => {
    clearTimeout(starved)
    preRoll = []
    voiceDetector?.reset()
    setVoice(false, agoMs)
  }

  const watchStarvation = (): void => {
    clearTimeout(starved)
    if (voice) starved = setTimeout(() => interruptAudio(starvedMs), starvedMs)
  }

  const keep = (frame: Int16Array) => {
    if (current !== undefined) return current.push(frame)
    preRoll.push(frame)
    if (preRoll.length > preRollFrames) preRoll.shift()
  }

  const stop = (utterance: number): Recognition | undefined => {
    const recognition = recognitions.get(utterance)
    if (recognition === current) current = undefined
    return recognition
  }

  const finishRecognition = (utterance: number): void => {
    const recognition = stop(utterance)
    if (recognition === undefined) return
    /** False where it was cancelled meanwhile. */
    const isWanted = () => recognitions.delete(utterance)
    recognition
      .finish()
      .then(
        ({ text, audioMs }) => isWanted() && onFinal(utterance, text, audioMs),
        (error) => isWanted() && onFailed(utterance, error),
      )
      .catch(onBroken)
  }

  const endTail = (): void => {
    if (tail === undefined) return
    clearTimeout(tail.timer)
    const { utterance } = tail
    tail = undefined
    finishRecognition(utterance)
  }

  return {
    push(frame) {
      if (muted || voiceDetector === undefined || recognizer === undefined) return
      if (inputMode === 'push-to-talk' && current === undefined) return
      keep(frame)
      setVoice(voiceDetector.detect(frame), voiceLagMs)
      watchStarvation()
    },

    mute(on) {
      muted = on
      if (on) interruptAudio(0)
    },

    begin(utterance) {
      if (recognizer === undefined) return
      endTail()
      if (inputMode === 'push-to-talk') {
        preRoll = []
        voice = false
        voiceDetector?.reset()
      }
      current = recognizer.open({ language, speaker, onPartial: (text) => onPartial(utterance, text) })
      recognitions.set(utterance, current)
      for (const frame of preRoll) current.push(frame)
      preRoll = []
    },

    finish(utterance) {
      if (inputMode === 'automatic') return finishRecognition(utterance)
      tail = { utterance, timer: setTimeout(endTail, tailMs) }
    },

    cancel(utterance) {
      const recognition = stop(utterance)
      recognitions.delete(utterance)
      recognition?.cancel()
    },

    close() {
      clearTimeout(starved)
      clearTimeout(tail?.timer)
      current = undefined
      for (const recognition of recognitions.values()) recognition.cancel()
      recognitions.clear()
    },
  }
}
