/**
 * A copy of the audio of one conversation, both sides on one clock, for a recording and for members who listen.
 *
 * - Each tick of the playback, which plays a frame or silence every 20 ms, is one pair of frames. Ticks that a stall has cost are made
 *   up for by silence of the agent, so that the pairs keep to real time.
 * - The user's audio may arrive unevenly. It waits for the next tick, at most 200 ms; older audio is dropped. While more than 40 ms
 *   wait, silence is dropped, so that both sides stay on one clock.
 * - Without a listener nothing is kept. A listener that throws is removed, and the conversation continues.
 */
import { firstLoudSample } from '@parlance/audio'
import { createResampler } from '@parlance/audio/encoding'
import { createSampleQueue } from './playback/sample-queue.js'
import { frameMs, receivedRateHz, sentRateHz } from './transport.js'

/** 20 ms of both sides; undefined for silence. Listeners may keep the frames, but not change them. */
export interface TappedFrames {
  /** Mono PCM at `receivedRateHz`. */
  readonly user: Int16Array | undefined
  /** Mono PCM at `sentRateHz`. */
  readonly agent: Int16Array | undefined
}

const maxWaitingFrames = 10
/** Frames arrive between ticks, so one or two always wait. */
const usualWaitingFrames = 2

interface AudioTapOptions {
  /** Receives what a listener throws. */
  onError(error: unknown): void
}

export type AudioTap = ReturnType<typeof createAudioTap>

export const createAudioTap = ({ onError }: AudioTapOptions) => {
  const listeners = new Set<(frames: TappedFrames) => void>()
  let waiting: Int16Array[] = []
  /** When the first of the present listeners was added, and the pairs since then. */
  let originMs = 0
  let pairs = 0
  let isMakingUp = false

  /** How many pairs are due by now. */
  const missing = (): number => Math.floor((performance.now() - originMs) / frameMs) - pairs

  const emit = (agent: Int16Array | undefined): void => {
    pairs += 1
    const frames = { user: waiting.shift(), agent }
    for (const listener of listeners) {
      try {
        listener(frames)
      } catch (error) {
        listeners.delete(listener)
        onError(error)
      }
    }
  }

  const makeUp = (): void => {
    isMakingUp = false
    while (listeners.size > 0 && missing() > 1) emit(undefined)
  }

  return {
    /** Takes 20 ms of the user's audio. */
    received(frame: Int16Array) {
      if (listeners.size === 0) return
      waiting.push(frame)
      const late = Math.max(0, missing())
      if (waiting.length > usualWaitingFrames + late) {
        const silent = waiting.findIndex((waitingFrame) => firstLoudSample(waitingFrame) === -1)
        if (silent !== -1) waiting.splice(silent, 1)
      }
      if (waiting.length > maxWaitingFrames + late) waiting.shift()
    },
    /** Takes 20 ms of the agent's audio, or of silence. To be called every 20 ms. */
    played(agent: Int16Array | undefined) {
      if (listeners.size === 0) return
      emit(agent)
      if (isMakingUp || missing() <= 1) return
      // By then, the user's audio from the time of the stall has been received.
      isMakingUp = true
      setImmediate(makeUp)
    },
    /** Calls `listener` every 20 ms until what this returns is called. */
    listen(given: (frames: TappedFrames) => void): () => void {
      if (listeners.size === 0) {
        originMs = performance.now()
        pairs = 0
      }
      // A new function, so that the same listener can be added twice.
      const listener = (frames: TappedFrames): void => given(frames)
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) waiting = []
      }
    },
  }
}

const frameSamples = (sentRateHz * frameMs) / 1000
const userSilence = new Int16Array((receivedRateHz * frameMs) / 1000)

/** The samples of 20 ms of both channels. */
export const twoChannelFrameSamples = 2 * frameSamples

/**
 * Joins the sides of a conversation, 20 ms at a time: interleaved PCM at `sentRateHz`, the user on the left channel, the agent
 * on the right. The result is overwritten by the next call.
 */
export const createTwoChannelFrames = (): ((frames: TappedFrames) => Int16Array) => {
  const resampler = createResampler({ fromHz: receivedRateHz, toHz: sentRateHz })
  const resampled = createSampleQueue()
  const left = new Int16Array(frameSamples)
  const interleaved = new Int16Array(twoChannelFrameSamples)

  return ({ user = userSilence, agent }) => {
    resampled.append(resampler.resample(user))
    // The filter keeps the end of its input, so the first frame has a millisecond less, which is put before it.
    left.fill(0)
    resampled.take(left.subarray(Math.max(0, frameSamples - resampled.length())))
    for (let at = 0; at < frameSamples; at++) {
      interleaved[2 * at] = left[at]!
      interleaved[2 * at + 1] = agent?.[at] ?? 0
    }
    return interleaved
  }
}
