import { frameMs } from '../../media/transport.js'
import type { VoiceDetector } from '../../media/voice-activity/voice-detector.js'
import type { Recognition, Recognizer } from '../../stt/recognizer.js'

/** What the microphone hears, on its way to become text. */
export interface Listening {
  /** The next 20 ms. */
  hear(frame: Int16Array): void
  mute(muted: boolean): void
  /** Recognises from now on, or where a voice begins it, from a moment before that voice was noticed. */
  begin(utterance: number): void
  /** It is over: `onFinal` or `onFailed` tells what became of it, unless it is cancelled. */
  finish(utterance: number): void
  cancel(utterance: number): void
  /** Cancels everything. */
  close(): void
}

export interface ListeningOptions {
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
  /** An error of ours. */
  onBroken(error: unknown): void
}

/** By how much a detector is late: at the beginning of a voice as at its end. */
const voiceLagMs = 60

/** A voice is noticed late and believed later still, and its first consonant is softer than both need. */
const preRollFrames = 400 / frameMs
/** What was said before the button was let go is still on its way when we are told of that. */
const tailMs = 100
/** A peer that sends nothing for so long does not stammer but is silent. */
const starvedMs = 1000

export const createListening = (options: ListeningOptions): Listening => {
  const { inputMode, language, recognizer, voiceDetector } = options
  const { onVoice, onPartial, onFinal, onFailed, onBroken } = options
  const recognitions = new Map<number, Recognition>()
  let current: Recognition | undefined
  let recent: Int16Array[] = []
  let muted = false
  let voice = false
  let starved: NodeJS.Timeout | undefined
  /** An utterance that is over, but for its last sounds. */
  let tail: { readonly utterance: number; readonly timer: NodeJS.Timeout } | undefined
  /** What is learnt of a voice and its microphone helps with what it says next. */
  const speaker = {}

  const setVoice = (on: boolean, agoMs: number): void => {
    if (on === voice) return
    voice = on
    onVoice(on, agoMs)
  }

  /** What comes next has nothing to do with what came before. */
  const breakOff = (agoMs: number): void => {
    clearTimeout(starved)
    recent = []
    voiceDetector?.reset()
    setVoice(false, agoMs)
  }

  const watchStarvation = (): void => {
    clearTimeout(starved)
    if (voice) starved = setTimeout(() => breakOff(starvedMs), starvedMs)
  }

  const keep = (frame: Int16Array) => {
    if (current !== undefined) return current.push(frame)
    recent.push(frame)
    if (recent.length > preRollFrames) recent.shift()
  }

  const stop = (utterance: number): Recognition | undefined => {
    const recognition = recognitions.get(utterance)
    if (recognition === current) current = undefined
    return recognition
  }

  const understand = (utterance: number): void => {
    const recognition = stop(utterance)
    if (recognition === undefined) return
    /** Whether it was not cancelled meanwhile. */
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
    understand(utterance)
  }

  return {
    hear(frame) {
      if (muted || voiceDetector === undefined || recognizer === undefined) return
      if (inputMode === 'push-to-talk' && current === undefined) return
      keep(frame)
      setVoice(voiceDetector.hears(frame), voiceLagMs)
      watchStarvation()
    },

    mute(on) {
      muted = on
      if (on) breakOff(0)
    },

    begin(utterance) {
      if (recognizer === undefined) return
      endTail()
      if (inputMode === 'push-to-talk') {
        recent = []
        voice = false
        voiceDetector?.reset()
      }
      current = recognizer.open({ language, speaker, onPartial: (text) => onPartial(utterance, text) })
      recognitions.set(utterance, current)
      for (const frame of recent) current.push(frame)
      recent = []
    },

    finish(utterance) {
      if (inputMode === 'automatic') return understand(utterance)
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
