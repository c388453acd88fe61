import { frameMs, type Transport } from '../transport.js'
import type { FrameClock } from './frame-clock.js'
import { createSpeechFrames } from './speech-frames.js'

/**
 * Plays audio to the peer in real time.
 *
 * - Audio is written faster than real time, and sent as one frame of 20 ms every 20 ms, without drift. Late ticks are made up
 *   for; after a long stall the missed time is lost, and no burst is sent.
 * - After silence the first frame is sent as soon as it is written, and one tick of the silence after the speech is left out.
 * - `pause` and `clear` take effect with the next frame, which fades out within 5 ms, so that it does not click. Samples of
 *   the fade-out do not count as played, and are played again after a pause.
 */
export interface Playback {
  /** Appends 16-bit mono PCM at 24 kHz, of any length. */
  write(samples: Int16Array): void
  /** Audio written and not played, in ms. */
  waitingMs(): number
  /** Resolves when less than `waitingMs` of audio waits, or when waiting audio was dropped. */
  below(waitingMs: number): Promise<void>
  /** Written audio that was played since `begin`, in ms, without the silence between. */
  playedMs(): number
  /** Begins a new speech: drops waiting audio, ends a pause and resets `playedMs`. */
  begin(): void
  /** Keeps waiting audio and sends silence from the next frame on. */
  pause(): void
  /**
   * Continues where it stopped. With `atMs`, a time of `playedMs`, it goes back there: by at most 2 s, and only where the pause was
   * audible.
   */
  resume(atMs?: number): void
  /** Drops waiting audio, ends a pause, and sends silence from the next frame on. */
  clear(): void
  close(): void
}

/** With less audio the next tick might have none, and the speech a gap. */
const startsWithMs = 2 * frameMs

/** A `Playback` that sends a frame to the peer at each tick of the clock. */
export const createPlayback = (options: {
  readonly playFrame: Transport['playFrame']
  readonly frameClock: FrameClock
  /** Called for audio that came after all earlier audio of the same speech was played. */
  onUnderrun?(): void
}): Playback => {
  const { playFrame, frameClock, onUnderrun } = options
  const frames = createSpeechFrames()
  let waiters: { readonly limitMs: number; resolve(): void }[] = []
  let closed = false
  /** Whether the last tick had no audio. */
  let isSilent = false
  /** Whether a frame was sent before its tick. */
  let isAhead = false

  const wake = (): void => {
    if (waiters.length === 0) return
    const leftMs = frames.waitingMs()
    waiters = waiters.filter(({ limitMs, resolve }) => {
      const mustWait = leftMs > 0 && leftMs >= limitMs
      if (!mustWait) resolve()
      return mustWait
    })
  }

  const stop = frameClock.onTick(() => {
    const frame = frames.next()
    isSilent = frame === undefined
    if (isSilent && isAhead) isAhead = false
    else playFrame(frame)
    wake()
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
    wake()
  }

  return {
    write(samples) {
      if (closed) return
      if (frames.playedMs() > 0 && frames.waitingMs() === 0) onUnderrun?.()
      frames.append(samples)
      if (isSilent && frames.waitingMs() >= startsWithMs) startEarly()
    },
    waitingMs: frames.waitingMs,
    async below(limitMs) {
      if (closed || frames.waitingMs() < limitMs) return
      await new Promise<void>((resolve) => waiters.push({ limitMs, resolve }))
    },
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
