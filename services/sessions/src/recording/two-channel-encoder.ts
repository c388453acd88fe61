import { createOggOpusEncoder } from '@parlance/audio/encoding'
import type { TappedFrames } from '../media/audio-tap.js'
import { sentRateHz } from '../media/transport.js'
import { createTwoChannelFrames } from '../media/two-channel-frames.js'

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
  const join = createTwoChannelFrames()
  return { encode: (frames) => encoder.encode(join(frames)), finish: encoder.finish }
}
