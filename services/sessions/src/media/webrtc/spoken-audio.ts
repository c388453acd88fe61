import { randomInt } from 'node:crypto'
import { Encoder } from '@evan/opus'
import { frameMs, spokenRateHz } from '../transport.js'
import { opusClockHz } from './opus-packet.js'
import { writeRtpPacket } from './rtp-packet.js'

const frameSamples = (spokenRateHz * frameMs) / 1000
const frameClocks = (opusClockHz * frameMs) / 1000
/** Silence that is still sent after speech, so that the peer's decoder ends in it; then nothing, and it plays silence itself. */
const silentFramesSent = 5
const silence = new Int16Array(frameSamples)

/** From frames of 20 ms of PCM at 24 kHz to RTP packets. */
export interface SpokenAudio {
  /** The packet to send, each 20 ms; undefined when silence goes on. */
  packet(frame: Int16Array | undefined): Buffer | undefined
}

/** `complexity` from 0 to 10; `bitRate` in bits per second. */
export const createSpokenAudio = (options: {
  readonly payloadType: number
  readonly ssrc: number
  readonly complexity: number
  readonly bitRate: number
}): SpokenAudio => {
  const { payloadType, ssrc } = options
  // "voip" takes three times as long for speech that is hardly better at this rate, and nothing here costs as much.
  const encoder = new Encoder({ channels: 1, sample_rate: spokenRateHz, application: 'audio' })
  encoder.bitrate = options.bitRate
  encoder.complexity = options.complexity as 5
  let sequence = randomInt(2 ** 16)
  let timestamp = randomInt(2 ** 32)
  let silentFrames = silentFramesSent + 1

  return {
    packet(frame) {
      // Time goes on whether something is sent or not: the peer plays what comes after silence when it is due.
      timestamp = (timestamp + frameClocks) % 2 ** 32
      const marker = frame !== undefined && silentFrames > silentFramesSent
      silentFrames = frame === undefined ? silentFrames + 1 : 0
      if (silentFrames > silentFramesSent) return undefined
      sequence = (sequence + 1) % 2 ** 16
      const payload = encoder.encode(frame ?? silence)
      return writeRtpPacket({ payloadType, marker, sequence, timestamp, ssrc, payload })
    },
  }
}
