import { Encoder } from '@evan/opus'
import { concatPcm } from '@parlance/audio'
import { createResampler } from '@parlance/audio/encoding'
import { createReceivedAudio } from '../../src/media/webrtc/received-audio.js'
import { writeRtpPacket } from '../../src/media/webrtc/rtp-packet.js'
import { framesOf, spoken } from '../spoken.js'
import { randomFrom } from './random-from.js'

export const sentences = ['please tell me the time', 'what is the weather like today', 'can you help me find my keys']

export interface Network {
  /** Whether the packets of the browser hold copies of the audio before. */
  readonly corrects: boolean
  /** The share of packets that is lost. */
  readonly loss: number
  /** The others come up to so much later. */
  readonly jitterMs: number
}

/** The frames that are received of sentences that a browser sends one after the other, in virtual time. */
export const overNetwork = async (texts: readonly string[], { corrects, loss, jitterMs }: Network) => {
  const random = randomFrom(1)
  const resampler = createResampler({ fromHz: 16_000, toHz: 48_000 })
  const speech = resampler.resample(concatPcm(await Promise.all(texts.map((text) => spoken(text)))))
  const encoder = new Encoder({ channels: 1, sample_rate: 48_000, application: 'voip' })
  encoder.bitrate = 32_000
  encoder.inband_fec = corrects
  encoder.packet_loss = corrects ? 10 : 0
  const packets = framesOf(speech, 960).map((frame, sequence) => ({
    atMs: sequence * 20 + random() * jitterMs,
    isLost: random() < loss,
    bytes: writeRtpPacket({
      payloadType: 111,
      marker: false,
      sequence,
      timestamp: sequence * 960,
      ssrc: 1,
      payload: encoder.encode(frame),
    }),
  }))
  const arriving = packets.filter(({ isLost }) => !isLost).sort((one, other) => one.atMs - other.atMs)
  const received = createReceivedAudio({ payloadType: 111 })
  const frames = packets.flatMap((_, index) => {
    while (arriving[0] !== undefined && arriving[0].atMs <= index * 20 + 10) received.receive(arriving.shift()!.bytes)
    return received.nextFrames()
  })
  received.close()
  return frames
}
