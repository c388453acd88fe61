import { randomInt } from 'node:crypto'
import { Encoder } from '@evan/opus'
import { frameMs, sentRateHz } from '../transport.js'
import { opusClockHz, writeRtpPacket } from './rtp-packet.js'

const frameSamples = (sentRateHz * frameMs) / 1000
const frameClocks = (opusClockHz * frameMs) / 1000
/** Frames of silence that are sent after speech, so that the peer's decoder ends in silence. Then nothing is sent. */
const silentFramesSent = 5
/** Copies take a fifth of the bit rate, and the mode of the encoder that has them three times the CPU. */
const minCorrectedLoss = 0.02
const maxCorrectedPercent = 25
const silence = new Int16Array(frameSamples)

const bitRate = 40_000
/** Of 0 to 10: 5 takes about 0.08 ms of CPU for each 20 ms, 8 four times as long. */
const complexity = 5

/** Turns frames of 20 ms of mono PCM at `sentRateHz` into RTP packets. */
export const createSentAudio = ({ payloadType, ssrc }: { readonly payloadType: number; readonly ssrc: number }) => {
  // "voip" takes three times the CPU for speech that is hardly better at this bit rate, and encoding costs more than all else.
  const encoder = new Encoder({ channels: 1, sample_rate: sentRateHz, application: 'audio' })
  encoder.bitrate = bitRate
  encoder.complexity = complexity
  let sequence = randomInt(2 ** 16)
  let timestamp = randomInt(2 ** 32)
  let silentFrames = silentFramesSent + 1

  return {
    /** The packet of the next 20 ms, of `frame` or of silence; undefined when nothing needs to be sent. */
    packet(frame: Int16Array | undefined): Buffer | undefined {
      // The timestamp advances during silence too, so that the peer plays the audio after it in time.
      timestamp = (timestamp + frameClocks) % 2 ** 32
      const marker = frame !== undefined && silentFrames > silentFramesSent
      silentFrames = frame === undefined ? silentFrames + 1 : 0
      if (silentFrames > silentFramesSent) return undefined
      sequence = (sequence + 1) % 2 ** 16
      const payload = encoder.encode(frame ?? silence)
      return writeRtpPacket({ payloadType, marker, sequence, timestamp, ssrc, payload })
    },
    /** From now on packets contain copies of the audio before, as this share of them is lost. */
    setLoss(share: number) {
      const corrects = share >= minCorrectedLoss
      if (!corrects && !encoder.inband_fec) return
      encoder.inband_fec = corrects
      encoder.signal = corrects ? 'voice' : 'auto'
      encoder.packet_loss = corrects ? Math.min(maxCorrectedPercent, Math.ceil(100 * share)) : 0
    },
  }
}
