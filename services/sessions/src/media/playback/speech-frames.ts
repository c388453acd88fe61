import { frameMs, sentRateHz } from '../transport.js'
import { createSampleQueue } from './sample-queue.js'

/** Cuts speech into frames of 20 ms, with fades when it is paused, resumed or dropped. It has no clock. */
export interface SpeechFrames {
  append(samples: Int16Array): void
  /** The next frame; undefined for silence. */
  next(): Int16Array | undefined
  waitingMs(): number
  /** The speech in the frames since `resetPlayed`, in ms. */
  playedMs(): number
  resetPlayed(): void
  pause(): void
  resume(): void
  /** Drops waiting speech and ends a pause. */
  drop(): void
}

const frameSamples = (sentRateHz * frameMs) / 1000
const samplesPerMs = sentRateHz / 1000
/** Speech that is cut off fades out, and resumed speech fades in: a step would click. */
const fadeSamples = 5 * samplesPerMs

/** `gain` takes the position in the fade, from 0 to 1. */
const fade = (frame: Int16Array, gain: (at: number) => number): void => {
  for (let at = 0; at < fadeSamples; at++) frame[at] = Math.round((frame[at] as number) * gain(at / fadeSamples))
}

export const createSpeechFrames = (): SpeechFrames => {
  const queue = createSampleQueue()
  let playedSamples = 0
  let paused = false
  /** Whether the last frame was speech, which the next frame would continue. */
  let sounding = false
  /** Whether the next speech continues in the middle, after a pause. */
  let fadeIn = false
  /** The next frame: the fade-out of speech that was cut off. */
  let ending: Int16Array | undefined

  /** Fades out in the next frame. The samples of the fade-out stay in the queue, and are played in full after a pause. */
  const cutOff = (): void => {
    if (!sounding || queue.length() === 0) return
    sounding = false
    const frame = new Int16Array(frameSamples)
    frame.set(queue.peek(fadeSamples))
    fade(frame, (at) => 1 - at)
    ending = frame
  }

  return {
    append: queue.append,
    next() {
      if (ending !== undefined) {
        const frame = ending
        ending = undefined
        return frame
      }
      if (paused || queue.length() === 0) {
        sounding = false
        return undefined
      }
      const frame = new Int16Array(frameSamples)
      playedSamples += queue.take(frame)
      if (fadeIn) fade(frame, (at) => at)
      fadeIn = false
      sounding = true
      return frame
    },
    waitingMs: () => queue.length() / samplesPerMs,
    playedMs: () => playedSamples / samplesPerMs,
    resetPlayed() {
      playedSamples = 0
    },
    pause() {
      if (paused) return
      fadeIn ||= sounding
      cutOff()
      paused = true
    },
    resume() {
      if (!paused) return
      paused = false
      if (ending === undefined) return
      // The fade-out has not been sent yet, so speech continues without a fade.
      ending = undefined
      fadeIn = false
      sounding = true
    },
    drop() {
      cutOff()
      queue.clear()
      paused = false
      fadeIn = false
    },
  }
}
