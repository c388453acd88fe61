/**
 * Cuts audio into utterances at its pauses. Audio without a voice is dropped.
 *
 * States: `silent` keeps the last frames, with which the next utterance begins; `speaking` adds frames to an utterance until it
 * ends. An utterance ends at a pause, which may be shorter in a long utterance, or at `maxFrames`.
 */
import { concatPcm } from '@parlance/audio'
import type { VoiceDetector } from '../turn-detector/voice-activity/voice-detector.js'

/** A part of the audio in which there is a voice. Times are from the beginning of the audio. */
export interface CutUtterance {
  readonly startMs: number
  readonly endMs: number
  /** Mono PCM at 16 kHz. */
  readonly samples: Int16Array
}

const frameMs = 20
const frameSamples = 320
/** How much of the silence around an utterance is recognized with it: the detector lags, and soft sounds are not detected. */
const marginFrames = 300 / frameMs
/** A pause that ends an utterance, and one that ends an utterance of at least `longFrames`. */
const pauseFrames = 700 / frameMs
const shortPauseFrames = 160 / frameMs
const longFrames = 8_000 / frameMs
/** Recognizers finish an utterance of this length within their time limit. */
const maxFrames = 15_000 / frameMs

/**
 * `onUtterance` is called for each utterance, in their order. `onFrames` is called with the frames of an utterance in progress as
 * soon as they are known, and with its beginning and its end so far.
 */
export const createSpeechCutter = (
  detector: VoiceDetector,
  onUtterance: (utterance: CutUtterance) => void,
  onFrames: (frames: readonly Int16Array[], startMs: number, endMs: number) => void = () => {},
) => {
  let state: 'silent' | 'speaking' = 'silent'
  let partial = new Int16Array(0)
  /** Frames of the utterance in progress; in a silence, those with which the next one begins. */
  let frames: Int16Array[] = []
  /** The number of frames before the first of `frames`. */
  let firstFrame = 0
  /** How many frames at the end of the utterance have no voice. */
  let quietFrames = 0

  const end = () => {
    const kept = frames.slice(0, frames.length - Math.max(0, quietFrames - marginFrames))
    onUtterance({
      startMs: firstFrame * frameMs,
      endMs: (firstFrame + kept.length) * frameMs,
      samples: concatPcm(kept),
    })
    firstFrame += kept.length
    frames = frames.slice(kept.length)
    state = 'silent'
    quietFrames = 0
  }

  const mustEnd = (): boolean => {
    const pause = frames.length >= longFrames ? shortPauseFrames : pauseFrames
    return quietFrames >= pause || frames.length >= maxFrames
  }

  const take = (frame: Int16Array) => {
    const hasVoice = detector.detect(frame)
    frames.push(frame)
    const wasSpeaking = state === 'speaking'
    if (hasVoice) {
      state = 'speaking'
      quietFrames = 0
    } else if (state === 'speaking') quietFrames += 1
    if (state === 'speaking') {
      onFrames(wasSpeaking ? [frame] : frames, firstFrame * frameMs, (firstFrame + frames.length) * frameMs)
      if (mustEnd()) end()
    }
    while (state === 'silent' && frames.length > marginFrames) {
      frames.shift()
      firstFrame += 1
    }
  }

  return {
    /** The next part of the audio: mono PCM at 16 kHz, of any length. */
    push(samples: Int16Array) {
      const all = concatPcm([partial, samples])
      const whole = all.length - (all.length % frameSamples)
      for (let at = 0; at < whole; at += frameSamples) take(all.slice(at, at + frameSamples))
      partial = all.slice(whole)
    },
    /** Ends the utterance in progress, as the end of the audio does. */
    finish() {
      if (state === 'speaking') end()
    },
  }
}
