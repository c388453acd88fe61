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

/** Most frames are with the kernel when the next is made: then its bytes take their place, where the processor has them at hand. */
const spaceBytes = 4096
let space = Buffer.allocUnsafeSlow(spaceBytes)
/** The beginning of it that was given out last: most frames are as long as the one before. */
let last = space

const allocate = (bytes: number): Buffer => {
  if (bytes > spaceBytes) return Buffer.allocUnsafeSlow(bytes)
  if (bytes !== last.length) last = space.subarray(0, bytes)
  return last
}

/** The frame that was allocated last is still to be sent, and must not be written over. */
export const keepServerFrame = (): void => {
  space = Buffer.allocUnsafeSlow(spaceBytes)
  last = space
}

/** To be sent, or kept, before another is allocated. */
export const allocateServerFrame = (kind: 'text' | 'binary', payloadBytes: number): ServerFrame => {
  const payloadAt = headerBytesOf(payloadBytes)
  const bytes = allocate(payloadAt + payloadBytes)
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
