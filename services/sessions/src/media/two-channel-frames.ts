import { createResampler } from '@parlance/audio/encoding'
import type { TappedFrames } from './audio-tap.js'
import { createSampleQueue } from './playback/sample-queue.js'
import { frameMs, receivedRateHz, sentRateHz } from './transport.js'

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
