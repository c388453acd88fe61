import { createResampler } from '@parlance/audio/encoding'
import { frameMs, receivedRateHz, sentRateHz } from '../transport.js'

/** The size of a frame that clients send: 20 ms of PCM, mono, 16 bits, 24 kHz. */
export const clientFrameBytes = (sentRateHz / 1000) * frameMs * 2

const recognizedFrameSamples = (receivedRateHz / 1000) * frameMs

/** Converts the frames of a client into frames of 20 ms at 16 kHz. */
export interface InboundAudio {
  /** `bytes` has `clientFrameBytes`. Samples of an incomplete frame wait for the next call. */
  convert(bytes: Uint8Array): Int16Array[]
}

export const createInboundAudio = (): InboundAudio => {
  const resampler = createResampler({ fromHz: sentRateHz, toHz: receivedRateHz })
  let rest = new Int16Array(0)

  return {
    convert(bytes) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const samples = new Int16Array(bytes.length / 2)
      for (let i = 0; i < samples.length; i++) samples[i] = view.getInt16(2 * i, true)
      const resampled = resampler.resample(samples)
      const joined = new Int16Array(rest.length + resampled.length)
      joined.set(rest)
      joined.set(resampled, rest.length)
      const frames: Int16Array[] = []
      let start = 0
      for (; start + recognizedFrameSamples <= joined.length; start += recognizedFrameSamples) {
        frames.push(joined.slice(start, start + recognizedFrameSamples))
      }
      rest = joined.slice(start)
      return frames
    },
  }
}
