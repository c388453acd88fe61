/**
 * Reports of what was lost (RTCP, RFC 3550, 6.4). A sender that receives reports of losses puts copies of the audio before into its
 * packets. The library always reports that nothing was lost.
 */
import { isRtcp, parseRtpPacket } from './rtp-packet.js'

const senderReport = 200
const receiverReport = 201
const reportBytes = 32

/** `ssrc` is that of the receiver. */
export const createReceptionReports = ({
  ssrc,
  payloadType,
}: {
  readonly ssrc: number
  readonly payloadType: number
}) => {
  let source: number | undefined
  /** The first and the highest sequence number, of which the latter has more than 16 bits. */
  let first = 0
  let highest = 0
  let received = 0
  /** At the last report. */
  let before = { expected: 0, received: 0 }
  /** The middle of the time in the last sender report, and when that came. */
  let lastSent: { readonly time: number; readonly atMs: number } | undefined

  const count = (sequence: number): void => {
    const step = ((sequence - highest) << 16) >> 16
    highest = Math.max(highest, highest + step)
    received += 1
  }

  return {
    /** Takes each packet of the peer, RTP and RTCP. */
    receive(bytes: Uint8Array, nowMs: number) {
      if (isRtcp(bytes)) {
        if (bytes[1] !== senderReport || bytes.length < 28) return
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        lastSent = { time: view.getUint32(10), atMs: nowMs }
        return
      }
      const packet = parseRtpPacket(bytes)
      if (packet?.payloadType !== payloadType) return
      if (packet.ssrc !== source) {
        source = packet.ssrc
        first = packet.sequence
        highest = packet.sequence
        received = 0
        before = { expected: 0, received: 0 }
      }
      count(packet.sequence)
    },

    /** The report about the time since the last one; undefined where nothing was received. */
    report(nowMs: number): Buffer | undefined {
      if (source === undefined) return undefined
      const expected = highest - first + 1
      const expectedSince = expected - before.expected
      // Copies and late packets may make more of it than were sent.
      const lostSince = Math.max(0, expectedSince - (received - before.received))
      before = { expected, received }
      const bytes = Buffer.alloc(reportBytes)
      bytes.writeUInt8(0x81, 0)
      bytes.writeUInt8(receiverReport, 1)
      bytes.writeUInt16BE(reportBytes / 4 - 1, 2)
      bytes.writeUInt32BE(ssrc, 4)
      bytes.writeUInt32BE(source, 8)
      bytes.writeUInt8(expectedSince > 0 ? Math.min(255, Math.floor((lostSince * 256) / expectedSince)) : 0, 12)
      bytes.writeUIntBE(Math.max(0, Math.min(0x7fffff, expected - received)), 13, 3)
      bytes.writeUInt32BE(highest % 2 ** 32, 16)
      if (lastSent !== undefined) {
        bytes.writeUInt32BE(lastSent.time, 24)
        bytes.writeUInt32BE(Math.round((nowMs - lastSent.atMs) * 65.536) % 2 ** 32, 28)
      }
      return bytes
    },
  }
}

/** The share of the packets of `ssrc` that the peer reports as lost, from 0 to 1; undefined where it reports nothing about it. */
export const reportedLoss = (bytes: Uint8Array, ssrc: number): number | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // One datagram has one or more RTCP packets.
  for (let at = 0; at + 8 <= view.byteLength; at += 4 * (view.getUint16(at + 2) + 1)) {
    const type = view.getUint8(at + 1)
    if (type !== senderReport && type !== receiverReport) continue
    const blocks = view.getUint8(at) & 0x1f
    const firstBlock = at + (type === senderReport ? 28 : 8)
    for (let block = firstBlock; block < firstBlock + 24 * blocks && block + 24 <= view.byteLength; block += 24)
      if (view.getUint32(block) === ssrc) return view.getUint8(block + 4) / 256
  }
  return undefined
}
