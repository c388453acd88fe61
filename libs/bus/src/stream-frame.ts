/**
 * The frames of a server stream. A message holds one or more of them, each `u8 kind, u32 count, u32 length, payload`.
 *
 * Producer to consumer, on the consumer's mailbox, where the count is a sequence number:
 *   open       the first; its reply subject is where the consumer sends its control frames
 *   chunk      payload `u32 length, JSON, bytes`: the JSON without `data`, then `data`
 *   packed     a chunk whose method has a form of its own for it: in place of the JSON a few numbers, each an f64
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

/** Is given a frame's payload as the part of `bytes` from `start` to `end`: to part it off would cost as much as to read it. */
export type FrameVisitor = (kind: number, count: number, bytes: Buffer, start: number, end: number) => void

/** Gives the frames of a message of either direction, up to the first that is not whole. */
export const visitFrames = (message: Uint8Array, visit: FrameVisitor): void => {
  const bytes = asBuffer(message)
  for (let at = 0; at + headerBytes <= bytes.length; ) {
    const start = at + headerBytes
    const end = start + bytes.readUInt32BE(at + 5)
    if (end > bytes.length) break
    visit(bytes[at]!, bytes.readUInt32BE(at + 1), bytes, start, end)
    at = end
  }
}

const numberBytes = 8

/** Its own head, and the chunk's `data` as it is. */
export const encodeChunk = (
  sequence: number,
  chunk: object,
  packing?: ChunkPacking<unknown>,
): readonly [head: Uint8Array, data: Uint8Array] => {
  const { data = empty } = chunk as { data?: Uint8Array }
  const numbers = packing?.pack(chunk)
  const json = numbers === undefined ? encodeJson({ ...chunk, data: undefined }) : empty
  const kind = numbers === undefined ? frameKind.chunk : frameKind.packed
  const length = numbers === undefined ? json.length : numbers.length * numberBytes
  const frame = Buffer.allocUnsafe(headerBytes + 4 + length)
  writeHeader(frame, kind, sequence, 4 + length + data.length)
  let at = frame.writeUInt32BE(length, headerBytes)
  for (const number of numbers ?? []) at = frame.writeDoubleBE(number, at)
  frame.set(json, at)
  return [frame, data]
}

const dataStart = (bytes: Buffer, start: number, end: number): number => {
  const dataAt = start + 4 + bytes.readUInt32BE(start)
  if (dataAt > end) throw new RangeError('a chunk is shorter than it says')
  return dataAt
}

/** A chunk's JSON with `data` put back when bytes came with it. Throws on a malformed payload. */
export const decodeChunk = (bytes: Buffer, start: number, end: number): unknown => {
  const dataAt = dataStart(bytes, start, end)
  const chunk = JSON.parse(bytes.toString('utf8', start + 4, dataAt)) as { data?: Uint8Array }
  if (dataAt < end) chunk.data = bytes.subarray(dataAt, end)
  return chunk
}

/** Throws on a malformed payload, and what the packing throws. */
export const decodePacked = (bytes: Buffer, start: number, end: number, packing: ChunkPacking<unknown>): unknown => {
  const dataAt = dataStart(bytes, start, end)
  const numbers: number[] = []
  let at = start + 4
  for (; at < dataAt; at += numberBytes) numbers.push(bytes.readDoubleBE(at))
  if (at !== dataAt) throw new RangeError('a chunk has a part of a number')
  return packing.unpack(numbers, bytes.subarray(dataAt, end))
}
