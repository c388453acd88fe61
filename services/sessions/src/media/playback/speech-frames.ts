import { frameMs, sentRateHz } from '../transport.js'
import { createSampleQueue } from './sample-queue.js'

const frameSamples = (sentRateHz * frameMs) / 1000
const samplesPerMs = sentRateHz / 1000
/** Speech that is cut off fades out, and resumed speech fades in: a step would click. */
const fadeSamples = 5 * samplesPerMs
/** How much of the speech that was played is kept, so that a word can be repeated. */
const keptSamples = 2000 * samplesPerMs

/** `gain` takes the position in the fade, from 0 to 1. */
const fade = (frame: Int16Array, gain: (at: number) => number): void => {
  for (let at = 0; at < fadeSamples; at++) frame[at] = Math.round((frame[at] as number) * gain(at / fadeSamples))
}

/** Cuts speech into frames of 20 ms, with fades when it is paused, resumed or dropped. It has no clock. */
export const createSpeechFrames = () => {
  const queue = createSampleQueue()
  const played = createSampleQueue()
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

  /** Puts played speech back into the queue. */
  const repeatFrom = (atMs = playedSamples / samplesPerMs): void => {
    const repeated = playedSamples - Math.round(atMs * samplesPerMs)
    if (repeated <= 0 || repeated > played.length()) return
    const kept = played.peek(played.length())
    played.clear()
    played.append(kept.slice(0, -repeated))
    queue.prepend(kept.slice(-repeated))
    playedSamples -= repeated
  }

  return {
    append: queue.append,
    /** The next frame; undefined for silence. */
    next(): Int16Array | undefined {
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
      const samples = queue.take(frame)
      playedSamples += samples
      played.append(frame.slice(0, samples))
      played.take(new Int16Array(Math.max(0, played.length() - keptSamples)))
      if (fadeIn) fade(frame, (at) => at)
      fadeIn = false
      sounding = true
      return frame
    },
    waitingMs: (): number => queue.length() / samplesPerMs,
    /** The speech in the frames since `resetPlayed`, in ms. */
    playedMs: (): number => playedSamples / samplesPerMs,
    resetPlayed() {
      playedSamples = 0
      played.clear()
    },
    pause() {
      if (paused) return
      fadeIn ||= sounding
      cutOff()
      paused = true
    },
    /** With `atMs` it continues there, where that is at most 2 s of played speech before the pause. */
    resume(atMs?: number) {
      if (!paused) return
      paused = false
      if (ending === undefined) return repeatFrom(atMs)
      // The fade-out has not been sent yet, so speech continues without a fade.
      ending = undefined
      fadeIn = false
      sounding = true
    },
    /** Drops waiting speech and ends a pause. */
    drop() {
      cutOff()
      queue.clear()
      paused = false
      fadeIn = false
    },
  }
}
