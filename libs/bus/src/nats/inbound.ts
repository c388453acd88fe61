import { readOperation, type ServerOperations } from './operations.js'

/** Bytes as they come from a server, in pieces cut anywhere, kept until each operation is whole. */
export interface Inbound {
  /** Where the next piece is to be written. */
  room(): Buffer
  /** So many bytes were written there. Throws `TypeError` for what is not NATS. */
  received(bytes: number): void
  /** A piece that was written elsewhere. */
  append(piece: Buffer): void
}

const firstBytes = 64 * 1024
/** Less is not worth a read. */
const leastRoomBytes = 16 * 1024

export const createInbound = (operations: ServerOperations): Inbound => {
  let buffer = Buffer.allocUnsafe(firstBytes)
  let filled = 0

  const room = () => {
    if (buffer.length - filled < leastRoomBytes) {
      const larger = Buffer.allocUnsafe(2 * buffer.length)
      buffer.copy(larger, 0, 0, filled)
      buffer = larger
    }
    return filled === 0 ? buffer : buffer.subarray(filled)
  }

  const received = (bytes: number) => {
    filled += bytes
    let at = 0
    for (let next = 0; next >= 0; next = readOperation(buffer, at, filled, operations)) at = next
    if (at === 0) return
    buffer.copyWithin(0, at, filled)
    filled -= at
  }

  return {
    room,
    received,
    append(piece) {
      for (let from = 0; from < piece.length; ) {
        const copied = piece.copy(room(), 0, from)
        from += copied
        received(copied)
      }
    },
  }
}
