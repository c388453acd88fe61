/**
 * A WebSocket frame as a server sends it (RFC 6455, 5.2): whole, not masked, not compressed. For messages of which there
 * are thousands a second: their bytes are written once, into what goes to the kernel.
 */
const finalText = 0x81
const finalBinary = 0x82

const headerBytesOf = (payloadBytes: number): number => (payloadBytes < 126 ? 2 : payloadBytes < 65_536 ? 4 : 10)

export interface ServerFrame {
  /** With its header. */
  readonly bytes: Buffer
  /** Where its payload is to be written. */
  readonly payloadAt: number
}

export const allocateServerFrame = (kind: 'text' | 'binary', payloadBytes: number): ServerFrame => {
  const payloadAt = headerBytesOf(payloadBytes)
  const bytes = Buffer.allocUnsafe(payloadAt + payloadBytes)
  bytes[0] = kind === 'text' ? finalText : finalBinary
  if (payloadAt === 2) bytes[1] = payloadBytes
  else if (payloadAt === 4) {
    bytes[1] = 126
    bytes.writeUInt16BE(payloadBytes, 2)
  } else {
    bytes[1] = 127
    bytes.writeUInt32BE(0, 2)
    bytes.writeUInt32BE(payloadBytes, 6)
  }
  return { bytes, payloadAt }
}
