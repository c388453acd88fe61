import { frameMs, type Transport } from '../transport.js'
import { createDrainWaiters } from './drain-waiters.js'
import type { FrameClock } from './frame-clock.js'
import type { Playback } from './playback.js'
import { createSpeechFrames } from './speech-frames.js'

/** With less audio the next tick might have none, and the speech a gap. */
const startsWithMs = 2 * frameMs

/** A `Playback` that sends a frame to the peer at each tick of the clock. */
export const createPlayback = (options: {
  readonly playFrame: Transport['playFrame']
  readonly frameClock: FrameClock
  /** Audio came after all that came before it was played, in the middle of a speech. */
  onUnderrun?(): void
}): Playback => {
  const { playFrame, frameClock, onUnderrun } = options
  const frames = createSpeechFrames()
  const waiters = createDrainWaiters(frames.waitingMs)
  let closed = false
  /** Whether the last tick had no audio. */
  let isSilent = false
  /** Whether a frame was sent before its tick. */
  let isAhead = false

  const stop = frameClock.onTick(() => {
    const frame = frames.next()
    isSilent = frame === undefined
    if (isSilent && isAhead) isAhead = false
    else playFrame(frame)
    waiters.wake()
  })

  const startEarly = (): void => {
    const frame = frames.next()
    if (frame === undefined) return
    isSilent = false
    isAhead = true
    playFrame(frame)
  }

  const drop = (): void => {
    frames.drop()
    waiters.wake()
  }

  return {
    write(samples) {
      if (closed) return
      if (frames.playedMs() > 0 && frames.waitingMs() === 0) onUnderrun?.()
      frames.append(samples)
      if (isSilent && frames.waitingMs() >= startsWithMs) startEarly()
    },
    waitingMs: frames.waitingMs,
    below: (limitMs) => (closed || frames.waitingMs() < limitMs ? Promise.resolve() : waiters.add(limitMs)),
    playedMs: frames.playedMs,
    begin() {
      drop()
      frames.resetPlayed()
    },
    pause: frames.pause,
    resume: frames.resume,
    clear: drop,
    close() {
      if (closed) return
      closed = true
      stop()
      drop()
    },
  }
}
