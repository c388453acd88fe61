import type { Duplex } from 'node:stream'

/** The payload of a frame, which is written directly into the frame. */
export interface FramePayload {
  readonly kind: 'text' | 'binary'
  readonly bytes: number
  /** Writes all bytes of the payload into `frame`, from `at` on. */
  writeTo(frame: Buffer, at: number): void
}

const finalText = 0x81
const finalBinary = 0x82

const none = Buffer.alloc(0)

/** Frames up to this size share a buffer with the frame after them. */
const maxReusedBytes = 16 * 1024

/**
 * Writes WebSocket frames (RFC 6455, section 5.2) of one server socket, whole, without a mask and without compression.
 *
 * `ws` writes a header and a payload that is a buffer already. This writes one buffer, and uses it again for the next frame
 * of the same length when the kernel took it at once: then `write` copied the bytes before it returned. The buffer never
 * leaves this function. `bench/frames.mjs` measures the gain.
 */
export const createFrameWriter = (
  rawSocket: Pick<Duplex, 'write' | 'writableLength'>,
): ((payload: FramePayload) => void) => {
  let frame = none

  return (payload) => {
    const { kind, bytes } = payload
    const headerBytes = headerBytesOf(bytes)
    if (frame.length !== headerBytes + bytes) frame = Buffer.allocUnsafeSlow(headerBytes + bytes)
    writeHeader(frame, kind, bytes)
    payload.writeTo(frame, headerBytes)
    rawSocket.write(frame)
    if (rawSocket.writableLength > 0 || frame.length > maxReusedBytes) frame = none
  }
}

const headerBytesOf = (payloadBytes: number): number => {
  if (payloadBytes < 126) return 2
  return payloadBytes < 65_536 ? 4 : 10
}

const writeHeader = (frame: Buffer, kind: FramePayload['kind'], payloadBytes: number): void => {
  frame[0] = kind === 'text' ? finalText : finalBinary
  if (payloadBytes < 126) {
    frame[1] = payloadBytes
  } else if (payloadBytes < 65_536) {
    frame[1] = 126
    frame.writeUInt16BE(payloadBytes, 2)
  } else {
    frame[1] = 127
    frame.writeUInt32BE(0, 2)
    frame.writeUInt32BE(payloadBytes, 6)
  }
}
