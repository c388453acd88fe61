import { createOggOpusEncoder, createResampler } from '@parlance/audio/encoding'
import type { TappedFrames } from '../media/audio-tap.js'
import { createSampleQueue } from '../media/playback/sample-queue.js'
import { frameMs, receivedRateHz, sentRateHz } from '../media/transport.js'

const frameSamples = (sentRateHz * frameMs) / 1000
const userSilence = new Int16Array((receivedRateHz * frameMs) / 1000)

/** Below this rate Opus mixes one channel into the other: measured, 16 dB at 24 kbit/s and more than 60 dB at 40 kbit/s apart. */
const bitRate = 40_000

/** Encodes both sides of a conversation as Opus in Ogg: the user on the left channel, the agent on the right. */
export interface TwoChannelEncoder {
  /** The bytes that are ready after these 20 ms. */
  encode(frames: TappedFrames): Uint8Array
  /** The rest of the bytes. */
  finish(): Uint8Array
}

export const createTwoChannelEncoder = (): TwoChannelEncoder => {
  const encoder = createOggOpusEncoder({ sampleRateHz: sentRateHz, bitRate, channels: 2 })
  const resampler = createResampler({ fromHz: receivedRateHz, toHz: sentRateHz })
  const resampled = createSampleQueue()
  const left = new Int16Array(frameSamples)
  const interleaved = new Int16Array(2 * frameSamples)

  return {
    encode({ user = userSilence, agent }) {
      resampled.append(resampler.resample(user))
      // The filter keeps the end of its input, so the first frame has a millisecond less, which is put before it.
      left.fill(0)
      resampled.take(left.subarray(Math.max(0, frameSamples - resampled.length())))
      for (let at = 0; at < frameSamples; at++) {
        interleaved[2 * at] = left[at]!
        interleaved[2 * at + 1] = agent?.[at] ?? 0
      }
      return encoder.encode(interleaved)
    },
    finish: encoder.finish,
  }
}
