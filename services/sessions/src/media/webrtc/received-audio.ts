import { Decoder } from '@evan/opus'
import { createSampleQueue } from '../playback/sample-queue.js'
import { frameMs, receivedRateHz } from '../transport.js'
import { JitterBuffer } from './jitter-buffer.js'
import { createLossConcealment } from './loss-concealment.js'
import { opusClockHz, opusPacketSamples, parseRtpPacket } from './rtp-packet.js'

/** Decodes one Opus stream to mono PCM at `receivedRateHz`, and conceals losses, which the library's decoder cannot. */
const createOpusVoiceDecoder = () => {
  const decoder = new Decoder({ channels: 1, sample_rate: receivedRateHz })
  const concealment = createLossConcealment()
  return {
    /** Undefined for an invalid packet. */
    decode(packet: Uint8Array): Int16Array | undefined {
      try {
        const bytes = decoder.decode(packet)
        // The library reuses the memory, so the audio is copied.
        return concealment.receive(new Int16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 1).slice())
      } catch {
        return undefined
      }
    },
    /** Returns this number of samples in place of lost audio. */
    conceal: concealment.conceal,
  }
}

const frameSamples = (receivedRateHz * frameMs) / 1000
const clocksPerSample = opusClockHz / receivedRateHz

/** Turns the RTP packets of a peer's microphone into frames of 20 ms of mono PCM at `receivedRateHz`. */
export interface ReceivedAudio {
  /** Takes one packet. Packets that are not RTP with Opus are dropped. */
  receive(bytes: Uint8Array): void
  /** The next frame, to be called every 20 ms. Missing audio is concealed or silence. */
  nextFrame(): Int16Array
}

export const createReceivedAudio = (options: { readonly payloadType: number }): ReceivedAudio => {
  const decoder = createOpusVoiceDecoder()
  const jitterBuffer = new JitterBuffer()
  const queue = createSampleQueue()
  let ssrc: number | undefined

  const decodeNext = (): Int16Array => {
    const taken = jitterBuffer.take()
    if (taken.kind === 'silence') return new Int16Array(taken.samples / clocksPerSample)
    if (taken.kind === 'lost') return decoder.conceal(Math.ceil(taken.samples / clocksPerSample))
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
      // The library reuses the memory of the packet, so the payload is copied.
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
