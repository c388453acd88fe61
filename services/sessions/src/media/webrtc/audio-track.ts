import { randomInt } from 'node:crypto'
import {
  Audio,
  type PeerConnection,
  RtcpReceivingSession,
  RtcpSrReporter,
  RtpPacketizationConfig,
  type Direction as TrackDirection,
} from 'node-datachannel'
import { opusClockHz } from './opus-packet.js'
import { createHeardAudio } from './received-audio.js'
import { isRtcp } from './rtp-packet.js'
import type { AudioLine, Direction } from './session-description.js'
import { createSpokenAudio } from './spoken-audio.js'

export interface AudioTrack {
  /** The next 20 ms of what the peer's microphone hears. */
  heardFrame(): Int16Array
  /** 20 ms, or silence. */
  playFrame(frame: Int16Array | undefined): void
  close(): void
}

const streamName = 'parlance'

/** What we do when the peer does that. */
const oppositeOf: Record<Direction, TrackDirection> = {
  sendrecv: 'SendRecv',
  sendonly: 'RecvOnly',
  recvonly: 'SendOnly',
  inactive: 'Inactive',
}

/** To be called before the offer is given to the connection: the track then takes its line. */
export const openAudioTrack = (options: {
  readonly connection: PeerConnection
  readonly line: AudioLine
  readonly complexity: number
  readonly bitRate: number
  /** Whatever comes, RTP or RTCP. */
  readonly onPacket: () => void
}): AudioTrack => {
  const { connection, line, onPacket } = options
  const ssrc = randomInt(1, 2 ** 32)
  const { payloadType } = line
  const description = new Audio(line.mid, oppositeOf[line.direction])
  // The library's own parameters speak of stereo, and of error correction in the packets, which the decoder does not read.
  description.addOpusCodec(payloadType, 'minptime=10')
  description.addSSRC(ssrc, streamName, streamName, streamName)
  const track = connection.addTrack(description)
  const senderReports = new RtcpSrReporter(new RtpPacketizationConfig(ssrc, streamName, payloadType, opusClockHz))
  const receiverReports = new RtcpReceivingSession()
  receiverReports.addToChain(senderReports)
  track.setMediaHandler(receiverReports)

  const heard = createHeardAudio({ payloadType })
  const spoken = createSpokenAudio({ payloadType, ssrc, complexity: options.complexity, bitRate: options.bitRate })
  // Handlers that nothing refers to would be collected.
  const kept = { track, senderReports, receiverReports }
  const hears = line.direction === 'sendrecv' || line.direction === 'recvonly'
  let closed = false

  // The library lets go of a track when it has called this.
  track.onClosed(() => {})
  track.onMessage((bytes) => {
    if (closed) return
    onPacket()
    if (!isRtcp(bytes)) heard.receive(bytes)
  })

  return {
    heardFrame: () => heard.nextFrame(),
    playFrame(frame) {
      if (closed || !hears || !kept.track.isOpen()) return
      const packet = spoken.packet(frame)
      if (packet === undefined) return
      try {
        kept.track.sendMessageBinary(packet)
      } catch {
        // It closed in this very moment; the connection tells.
      }
    },
    close() {
      closed = true
      kept.track.close()
    },
  }
}
