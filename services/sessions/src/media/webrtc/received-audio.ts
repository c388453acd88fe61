import { createSampleQueue } from '../playback/sample-queue.js'
import { frameMs, receivedRateHz } from '../transport.js'
import { JitterBuffer, type Taken } from './jitter-buffer.js'
import { createOpusDecoder } from './opus-decoder.js'
import { opusClockHz, opusPacketSamples, parseRtpPacket } from './rtp-packet.js'

const frameSamples = (receivedRateHz * frameMs) / 1000
const clocksPerSample = opusClockHz / receivedRateHz

/** Audio that is only estimated is as loud as the audio before for one frame, and silent after this time. */
const fadeOutSamples = (80 * receivedRateHz) / 1000

/** Turns the RTP packets of a peer's microphone into frames of 20 ms of mono PCM at `receivedRateHz`. */
export const createReceivedAudio = (options: { readonly payloadType: number }) => {
  const decoder = createOpusDecoder()
  const jitterBuffer = new JitterBuffer()
  const queue = createSampleQueue()
  let ssrc: number | undefined
  /** Samples estimated since the last that were received. */
  let estimated = 0

  const replaceLost = (samples: number, next?: Uint8Array): Int16Array => {
    const pcm = decoder.replaceLost(samples, next)
    for (const [at, sample] of pcm.entries()) {
      const gain = Math.min(1, (fadeOutSamples - estimated++) / (fadeOutSamples - frameSamples))
      pcm[at] = Math.round(sample * Math.max(0, gain))
    }
    return pcm
  }

  const decode = (taken: Taken): Int16Array => {
    switch (taken.kind) {
      case 'silence':
        return new Int16Array(taken.samples / clocksPerSample)
      case 'lost':
        return replaceLost(Math.ceil(taken.samples / clocksPerSample), taken.next)
      case 'packet': {
        const pcm = decoder.decode(taken.payload)
        if (pcm === undefined) return replaceLost(frameSamples)
        estimated = 0
        return pcm
      }
    }
  }

  const nextFrame = (): Int16Array => {
    while (queue.length() < frameSamples) queue.append(decode(jitterBuffer.take()))
    const frame = new Int16Array(frameSamples)
    queue.take(frame)
    return frame
  }

  return {
    /** Takes one packet. Packets that are not RTP with Opus are dropped. */
    receive(bytes: Uint8Array) {
      const packet = parseRtpPacket(bytes)
      if (packet === undefined || packet.payloadType !== options.payloadType) return
      const samples = opusPacketSamples(packet.payload)
      if (samples === undefined) return
      if (packet.ssrc !== ssrc) jitterBuffer.reset()
      ssrc = packet.ssrc
      // The library reuses the memory of the packet, so the payload is copied.
      jitterBuffer.push({ timestamp: packet.timestamp, samples, payload: packet.payload.slice() })
    },
    /**
     * To be called every 20 ms. Returns the next frame, and the frames after it when packets have come together after a stall. Missing
     * audio is concealed or silence.
     */
    nextFrames(): Int16Array[] {
      const frames = [nextFrame()]
      while (jitterBuffer.isBehind()) frames.push(nextFrame())
      return frames
    },
    /** Nothing may be called afterwards. */
    close: decoder.close,
  }
}
