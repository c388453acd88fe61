import { createSampleQueue } from '../playback/sample-queue.js'
import { frameMs, heardRateHz } from '../transport.js'
import { createJitterBuffer } from './jitter-buffer.js'
import { opusClockHz, opusPacketSamples } from './opus-packet.js'
import { createOpusVoiceDecoder } from './opus-voice-decoder.js'
import { parseRtpPacket } from './rtp-packet.js'

const frameSamples = (heardRateHz * frameMs) / 1000
const clocksASample = opusClockHz / heardRateHz

/** From the packets of a peer's microphone to frames of 20 ms of PCM at 16 kHz. */
export interface HeardAudio {
  /** One RTP packet, as it came. What is not Opus, or not RTP at all, is left out. */
  receive(bytes: Uint8Array): void
  /** The next frame, each 20 ms: what was not heard is concealed or silence. */
  nextFrame(): Int16Array
}

export const createHeardAudio = (options: { readonly payloadType: number }): HeardAudio => {
  const decoder = createOpusVoiceDecoder()
  const jitterBuffer = createJitterBuffer()
  const queue = createSampleQueue()
  let ssrc: number | undefined

  const decodeNext = (): Int16Array => {
    const taken = jitterBuffer.take()
    if (taken.kind === 'silence') return new Int16Array(taken.samples / clocksASample)
    if (taken.kind === 'lost') return decoder.conceal(Math.ceil(taken.samples / clocksASample))
    return decoder.decode(taken.payload) ?? decoder.conceal(frameSamples)
  }

  return {
    receive(bytes) {
      const packet = parseRtpPacket(bytes)
      if (packet === undefined || packet.payloadType !== options.payloadType) return
      const samples = opusPacketSamples(packet.payload)
      if (samples === undefined) return
      if (packet.ssrc !== ssrc) jitterBuffer.reset()
      ssrc = packet.ssrc
      // The library may use the memory of what it handed over again.
      jitterBuffer.push({ timestamp: packet.timestamp, samples, payload: packet.payload.slice() })
    },
    nextFrame() {
      while (queue.length() < frameSamples) queue.append(decodeNext())
      const frame = new Int16Array(frameSamples)
      queue.take(frame)
      return frame
    },
  }
}
