import { frameMs, sentRateHz, type Transport } from '../transport.js'
import type { FrameClock } from './frame-clock.js'
import type { Playback } from './playback.js'
import { createSampleQueue } from './sample-queue.js'

const frameSamples = (sentRateHz * frameMs) / 1000
const samplesPerMs = sentRateHz / 1000
/** Speech that is cut off fades out, and resumed speech fades in: a step would click. */
const fadeSamples = 5 * samplesPerMs

interface Waiter {
  readonly waitingMs: number
  resolve(): void
}

/** A `Playback` that sends a frame to the peer at each tick of the clock. */
export const createPlayback = (options: {
  readonly playFrame: Transport['playFrame']
  readonly frameClock: FrameClock
}): Playback => {
  const { playFrame, frameClock } = options
  const queue = createSampleQueue()
  let playedSamples = 0
  let paused = false
  let closed = false
  /** Whether the last frame was speech, which the next frame would continue. */
  let sounding = false
  /** Whether the next speech continues in the middle, after a pause. */
  let fadeIn = false
  /** The next frame: the fade-out of speech that was cut off. */
  let ending: Int16Array | undefined
  let waiters: Waiter[] = []

  const waitingMs = (): number => queue.length() / samplesPerMs

  const wakeWaiters = (): void => {
    const woken = waiters.filter((waiter) => closed || queue.length() === 0 || waitingMs() < waiter.waitingMs)
    waiters = waiters.filter((waiter) => !woken.includes(waiter))
    for (const { resolve } of woken) resolve()
  }

  /** Fades out in the next frame. The samples of the fade-out stay in the queue, and are played in full after a pause. */
  const cutOff = (): void => {
    if (!sounding || queue.length() === 0) return
    sounding = false
    const frame = new Int16Array(frameSamples)
    frame.set(queue.peek(fadeSamples))
    fade(frame, (at) => 1 - at)
    ending = frame
  }

  const drop = (): void => {
    cutOff()
    queue.clear()
    paused = false
    fadeIn = false
    wakeWaiters()
  }

  const nextFrame = (): Int16Array | undefined => {
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
  }

  const stop = frameClock.onTick(() => {
    playFrame(nextFrame())
    if (waiters.length > 0) wakeWaiters()
  })

  return {
    write(samples) {
      if (!closed) queue.append(samples)
    },
    waitingMs,
    below(limitMs) {
      if (closed || waitingMs() < limitMs) return Promise.resolve()
      return new Promise((resolve) => waiters.push({ waitingMs: limitMs, resolve }))
    },
    playedMs: () => playedSamples / samplesPerMs,
    begin() {
      drop()
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
    clear: drop,
    close() {
      if (closed) return
      closed = true
      stop()
      drop()
    },
  }
}

/** `gain` takes the position in the fade, from 0 to 1. */
const fade = (frame: Int16Array, gain: (at: number) => number): void => {
  for (let at = 0; at < fadeSamples; at++) frame[at] = Math.round((frame[at] as number) * gain(at / fadeSamples))
}
