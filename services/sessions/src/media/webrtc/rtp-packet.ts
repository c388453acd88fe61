/** The fields of an RTP packet (RFC 3550) that one Opus stream needs. */
interface RtpPacket {
  readonly payloadType: number
  readonly marker: boolean
  /** 16 bits. */
  readonly sequence: number
  /** 32 bits, in the units of the codec's clock. */
  readonly timestamp: number
  readonly ssrc: number
  readonly payload: Uint8Array
}

const headerBytes = 12

/** Whether a packet is RTCP. RTP and RTCP share a port and differ in the second byte (RFC 5761). */
export const isRtcp = (bytes: Uint8Array): boolean => {
  const type = bytes[1] ?? 0
  return type >= 192 && type <= 223
}

/** Undefined when the bytes are not a complete RTP packet. The payload shares the memory of `bytes`. */
export const parseRtpPacket = (bytes: Uint8Array): RtpPacket | undefined => {
  if (bytes.length < headerBytes) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const first = view.getUint8(0)
  if (first >> 6 !== 2) return undefined
  let start = headerBytes + (first & 0x0f) * 4
  if ((first & 0x10) !== 0) {
    if (bytes.length < start + 4) return undefined
    start += 4 + view.getUint16(start + 2) * 4
  }
  const padding = (first & 0x20) !== 0 ? view.getUint8(bytes.length - 1) : 0
  const end = bytes.length - padding
  if (end < start || ((first & 0x20) !== 0 && padding === 0)) return undefined
  const second = view.getUint8(1)
  return {
    payloadType: second & 0x7f,
    marker: (second & 0x80) !== 0,
    sequence: view.getUint16(2),
    timestamp: view.getUint32(4),
    ssrc: view.getUint32(8),
    payload: bytes.subarray(start, end),
  }
}

/** A packet without extensions, contributing sources or padding. */
export const writeRtpPacket = (packet: RtpPacket): Buffer => {
  const bytes = Buffer.allocUnsafe(headerBytes + packet.payload.length)
  bytes.writeUInt8(0x80, 0)
  bytes.writeUInt8((packet.marker ? 0x80 : 0) | packet.payloadType, 1)
  bytes.writeUInt16BE(packet.sequence, 2)
  bytes.writeUInt32BE(packet.timestamp, 4)
  bytes.writeUInt32BE(packet.ssrc, 8)
  bytes.set(packet.payload, headerBytes)
  return bytes
}

/** The RTP clock of Opus, which does not depend on the sample rates of encoder and decoder (RFC 7587). */
export const opusClockHz = 48_000

const maxSamples = 0.12 * opusClockHz

/** The duration of a packet in samples at 48 kHz, from its first bytes (RFC 6716, 3.1). Undefined when it is not Opus. */
export const opusPacketSamples = (packet: Uint8Array): number | undefined => {
  const [toc, count] = packet
  if (toc === undefined) return undefined
  const frames = framesOf(toc & 3, count)
  if (frames === undefined) return undefined
  const samples = frames * samplesPerFrame(toc >> 3)
  return samples > 0 && samples <= maxSamples ? samples : undefined
}

const framesOf = (code: number, count: number | undefined): number | undefined => {
  if (code === 0) return 1
  if (code === 3) return count === undefined ? undefined : count & 0x3f
  return 2
}

/** The first twelve configurations are SILK, the next four hybrid, the others CELT. */
const samplesPerFrame = (configuration: number): number => {
  if (configuration < 12) return [480, 960, 1920, 2880][configuration % 4] as number
  if (configuration < 16) return [480, 960][configuration % 2] as number
  return [120, 240, 480, 960][configuration % 4] as number
}
