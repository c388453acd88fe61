import { randomInt } from 'node:crypto'
import {
  Audio,
  type PeerConnection,
  RtcpSrReporter,
  RtpPacketizationConfig,
  type Direction as TrackDirection,
} from 'node-datachannel'
import { frameMs } from '../transport.js'
import { createReceivedAudio } from './received-audio.js'
import { createReceptionReports, reportedLoss } from './reception-report.js'
import { isRtcp, opusClockHz } from './rtp-packet.js'
import { createSentAudio } from './sent-audio.js'
import type { AudioLine, Direction } from './session-description.js'

const streamName = 'parlance'
/** A second. */
const ticksPerReport = 1000 / frameMs

/** The direction of the track for a direction of the peer. */
const oppositeOf: Record<Direction, TrackDirection> = {
  sendrecv: 'SendRecv',
  sendonly: 'RecvOnly',
  recvonly: 'SendOnly',
  inactive: 'Inactive',
}

export type AudioTrack = ReturnType<typeof openAudioTrack>

/** Called before the connection gets the offer, so that the track takes the audio line of the offer. */
export const openAudioTrack = (options: {
  readonly connection: PeerConnection
  readonly line: AudioLine
  /** Called for each RTP and RTCP packet. */
  readonly onPacket: () => void
}) => {
  const { connection, line, onPacket } = options
  const ssrc = randomInt(1, 2 ** 32)
  const { payloadType } = line
  const description = new Audio(line.mid, oppositeOf[line.direction])
  // The library's default parameters offer stereo, too, which the decoder does not support.
  description.addOpusCodec(payloadType, 'minptime=10;useinbandfec=1')
  description.addSSRC(ssrc, streamName, streamName, streamName)
  const track = connection.addTrack(description)
  const senderReports = new RtcpSrReporter(new RtpPacketizationConfig(ssrc, streamName, payloadType, opusClockHz))
  track.setMediaHandler(senderReports)

  const received = createReceivedAudio({ payloadType })
  const reception = createReceptionReports({ ssrc, payloadType })
  let ticksUntilReport = ticksPerReport
  const sent = createSentAudio({ payloadType, ssrc })
  // The references keep the handlers from being garbage-collected.
  const kept = { track, senderReports }
  const peerReceives = line.direction === 'sendrecv' || line.direction === 'recvonly'
  let closed = false

  // The library frees a track after it has called this.
  track.onClosed(() => {})
  track.onMessage((bytes) => {
    if (closed) return
    onPacket()
    reception.receive(bytes, performance.now())
    if (!isRtcp(bytes)) return received.receive(bytes)
    const loss = line.correctsErrors ? reportedLoss(bytes, ssrc) : undefined
    if (loss !== undefined) sent.setLoss(loss)
  })

  const send = (packet: Buffer | undefined): void => {
    if (packet === undefined || closed || !kept.track.isOpen()) return
    try {
      kept.track.sendMessageBinary(packet)
    } catch {
      // The track has just closed, which the connection reports.
    }
  }

  return {
    /** The peer's microphone since the last call, 20 ms before: mono PCM at `receivedRateHz` in frames of 20 ms, one or more. */
    receivedFrames(): Int16Array[] {
      if (--ticksUntilReport === 0) {
        ticksUntilReport = ticksPerReport
        send(reception.report(performance.now()))
      }
      return received.nextFrames()
    },
    /** Sends 20 ms of mono PCM at `sentRateHz`, or silence. */
    playFrame(frame: Int16Array | undefined) {
      if (peerReceives) send(sent.packet(frame))
    },
    close() {
      if (!closed) received.close()
      closed = true
      kept.track.close()
    },
  }
}
