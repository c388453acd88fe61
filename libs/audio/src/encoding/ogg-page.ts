/**
 * Ogg pages (RFC 3533) of one logical stream. A page is a header, a table of the lengths of its packets in segments of up to 255
 * bytes (a shorter segment ends a packet), and the packets. Its CRC covers the whole page, with zeros in place of the CRC.
 */
import { concatBytes } from '../index.js'

interface OggPage {
  packets: readonly Uint8Array[]
  /** The position in the stream at the end of this page, in the codec's units. */
  granulePosition: number
  position: 'first' | 'inner' | 'last'
}

/** Writes the pages of a stream, numbered from 0. `serial` identifies the stream. Throws `RangeError` for too many packets. */
export const createOggPageWriter = (serial: number): ((page: OggPage) => Uint8Array) => {
  let sequence = 0

  return ({ packets, granulePosition, position }) => {
    const lacing = packets.flatMap(({ length }) => [...Array(Math.floor(length / 255)).fill(255), length % 255])
    if (lacing.length > 255) throw new RangeError(`${lacing.length} segments do not fit an Ogg page`)

    const headerBytes = 27 + lacing.length
    const page = new Uint8Array(packets.reduce((length, packet) => length + packet.length, headerBytes))
    const view = new DataView(page.buffer)
    view.setUint32(0, capturePattern)
    view.setUint8(5, headerType[position])
    view.setBigInt64(6, BigInt(granulePosition), true)
    view.setUint32(14, serial, true)
    view.setUint32(18, sequence++, true)
    view.setUint8(26, lacing.length)
    page.set(lacing, 27)
    let at = headerBytes
    for (const packet of packets) {
      page.set(packet, at)
      at += packet.length
    }
    view.setUint32(22, oggCrc(page), true)
    return page
  }
}

/**
 * The packets of a file with one logical stream, and the position at its end. A file that is cut short ends with its last whole page.
 * Throws `Error` for what is not Ogg.
 */
export const oggPackets = (
  file: Uint8Array,
): { readonly packets: readonly Uint8Array[]; readonly granulePosition: number } => {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const packets: Uint8Array[] = []
  let granulePosition = 0
  /** The segments of a packet so far, which may continue on the next page. */
  let segments: Uint8Array[] = []
  for (let at = 0; at + 27 <= file.length; ) {
    if (view.getUint32(at) !== capturePattern) throw new Error('Not an Ogg file')
    const lacing = file.subarray(at + 27, at + 27 + file[at + 26]!)
    let segmentAt = at + 27 + lacing.length
    const end = lacing.reduce((sum, length) => sum + length, segmentAt)
    if (end > file.length) break
    for (const length of lacing) {
      segments.push(file.subarray(segmentAt, segmentAt + length))
      segmentAt += length
      if (length === 255) continue
      packets.push(segments.length === 1 ? segments[0]! : concatBytes(segments))
      segments = []
    }
    // -1 where no packet ends on the page.
    granulePosition = Math.max(granulePosition, Number(view.getBigInt64(at + 6, true)))
    at = end
  }
  return { packets, granulePosition }
}

const capturePattern = 0x4f676753 // "OggS"
const headerType = { first: 2, inner: 0, last: 4 } as const

/** The CRC-32 of Ogg: polynomial 0x04C11DB7, most significant bit first, starting at 0, not inverted. */
const oggCrc = (bytes: Uint8Array): number => {
  let crc = 0
  for (const byte of bytes) crc = (crc << 8) ^ crcTable[(crc >>> 24) ^ byte]!
  return crc >>> 0
}

const crcTable = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24
  for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc < 0 ? 0x04c11db7 : 0)
  return crc
})
