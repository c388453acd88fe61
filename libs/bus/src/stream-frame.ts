/**
 * The frames of a server stream. A message holds one or more of them, each `u8 kind, u32 count, u32 length, payload`.
 *
 * Producer to consumer, on the consumer's mailbox, where the count is a sequence number:
 *   open       the first; its reply subject is where the consumer sends its control frames
 *   chunk      payload `u32 length, JSON, bytes`: the JSON without `data`, then `data`
 *   packed     a chunk whose method has a form of its own for it, in place of the JSON
 *   end        the stream is complete
 *   error      payload is the error's JSON
 *   heartbeat  nothing to send, still here
 * `sequence` counts chunks: a chunk's own number, and for `end` and `error` how many chunks there were. A consumer that
 * sees a gap, or nothing for a while, knows that it has not had everything; a clean end is only ever an `end` frame.
 *
 * Consumer to producer, without a payload:
 *   credit     `count` more chunks may be sent
 *   cancel     stop
 *   alive      still reading
 */
import type { ChunkPacking } from '@parlance/contracts'
import { asBuffer, encodeJson } from './wire.js'

export const frameKind = { open: 0, chunk: 1, end: 2, error: 3, heartbeat: 4, packed: 5 } as const
export type FrameKind = (typeof frameKind)[keyof typeof frameKind]

export const controlKind = { credit: 0, cancel: 1, alive: 2 } as const
export type ControlKind = (typeof controlKind)[keyof typeof controlKind]

const headerBytes = 9
const empty = new Uint8Array(0)

const withHeader = (kind: number, count: number, payloadBytes: number): Buffer => {
  const frame = Buffer.allocUnsafe(headerBytes + payloadBytes)
  writeHeader(frame, kind, count, payloadBytes)
  return frame
}

const writeHeader = (frame: Buffer, kind: number, count: number, payloadBytes: number): void => {
  frame.writeUInt8(kind, 0)
  frame.writeUInt32BE(count, 1)
  frame.writeUInt32BE(payloadBytes, 5)
}

export const encodeFrame = (kind: FrameKind, sequence: number, payload: Uint8Array = empty): Uint8Array => {
  const frame = withHeader(kind, sequence, payload.length)
  frame.set(payload, headerBytes)
  return frame
}

export const encodeControl = (kind: ControlKind, count = 0): Uint8Array => withHeader(kind, count, 0)

/** Gives the frames of a message of either direction, up to the first that is not whole. */
export const visitFrames = (
  message: Uint8Array,
  visit: (kind: number, count: number, payload: Buffer) => void,
): void => {
  const bytes = asBuffer(message)
  for (let start = 0; start + headerBytes <= bytes.length; ) {
    const payloadAt = start + headerBytes
    const end = payloadAt + bytes.readUInt32BE(start + 5)
    if (end > bytes.length) break
    visit(bytes[start]!, bytes.readUInt32BE(start + 1), bytes.subarray(payloadAt, end))
    start = end
  }
}

/** Its own head, and the chunk's `data` as it is. */
export const encodeChunk = (
  sequence: number,
  chunk: object,
  packing?: ChunkPacking<unknown>,
): readonly [head: Uint8Array, data: Uint8Array] => {
  const { data = empty } = chunk as { data?: Uint8Array }
  const packed = packing?.pack(chunk)
  const head = packed ?? encodeJson({ ...chunk, data: undefined })
  const kind = packed === undefined ? frameKind.chunk : frameKind.packed
  const frame = Buffer.allocUnsafe(headerBytes + 4 + head.length)
  writeHeader(frame, kind, sequence, 4 + head.length + data.length)
  frame.writeUInt32BE(head.length, headerBytes)
  frame.set(head, headerBytes + 4)
  return [frame, data]
}

const dataStart = (payload: Buffer): number => {
  const dataAt = 4 + payload.readUInt32BE(0)
  if (dataAt > payload.length) throw new RangeError('a chunk is shorter than it says')
  return dataAt
}

/** A chunk's JSON with `data` put back when bytes came with it. Throws on a malformed payload. */
export const decodeChunk = (payload: Buffer): unknown => {
  const dataAt = dataStart(payload)
  const chunk = JSON.parse(payload.toString('utf8', 4, dataAt)) as { data?: Uint8Array }
  if (dataAt < payload.length) chunk.data = payload.subarray(dataAt)
  return chunk
}

/** Throws on a malformed payload, and what the packing throws. */
export const decodePacked = (payload: Buffer, packing: ChunkPacking<unknown>): unknown => {
  const dataAt = dataStart(payload)
  const packed = new DataView(payload.buffer, payload.byteOffset + 4, dataAt - 4)
  return packing.unpack(packed, payload.subarray(dataAt))
}
