/**
 * The frames of a stream. A message contains one or more of them, each `u8 kind, u32 count, u32 length, payload`. The two
 * directions have different kinds.
 *
 * Handler to caller, on the caller's reply subject:
 *   open       the first frame; the reply subject of its message is where the caller sends its frames. In a bidirectional
 *              stream the payload is the handler's window: `u32 chunks, u32 bytes`
 *   chunk      payload `u32 length, JSON, bytes`: the JSON without `data`, then `data`
 *   packed     a chunk that its method encodes as numbers: each an f64, in place of the JSON
 *   end        the stream is complete
 *   error      payload is the error's JSON
 *   heartbeat  the handler has nothing to send
 *   window     `count` more chunks may be sent
 *
 * Caller to handler:
 *   window     `count` more chunks may be sent
 *   cancel     the caller has left
 *   heartbeat  the caller is still reading
 *   chunk      as above
 *   end        the caller sends no more chunks
 *
 * The count of a chunk is its number in its direction, from 0. The count of `end` and `error` is the number of chunks that
 * were sent. A receiver that finds a gap, or receives nothing for a while, knows that it has not received everything.
 */
import type { ChunkPacking } from '@parlance/contracts'
import { asBuffer, encodeJson } from '../wire.js'
import type { StreamWindow } from './stream-window.js'

export const handlerFrame = { open: 0, chunk: 1, end: 2, error: 3, heartbeat: 4, packed: 5, window: 6 } as const
export const callerFrame = { window: 0, cancel: 1, heartbeat: 2, chunk: 3, end: 4 } as const

/** The frame kinds of one direction that a sender of chunks needs. */
export interface ChunkKinds {
  readonly chunk: number
  readonly packed?: number
  readonly end: number
}

const headerBytes = 9
const numberBytes = 8
const empty = new Uint8Array(0)

const writeHeader = (frame: Buffer, kind: number, count: number, payloadBytes: number): void => {
  frame.writeUInt8(kind, 0)
  frame.writeUInt32BE(count, 1)
  frame.writeUInt32BE(payloadBytes, 5)
}

export const encodeFrame = (kind: number, count = 0, payload: Uint8Array = empty): Uint8Array => {
  const frame = Buffer.allocUnsafe(headerBytes + payload.length)
  writeHeader(frame, kind, count, payload.length)
  frame.set(payload, headerBytes)
  return frame
}

/** The payload is `bytes` from `start` to `end`: a subarray would cost as much as reading it. */
export type FrameVisitor = (kind: number, count: number, bytes: Buffer, start: number, end: number) => void

/** Visits the frames of a message up to the first incomplete one. */
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

export const encodeWindow = ({ chunks, bytes }: StreamWindow): Uint8Array => {
  const payload = Buffer.allocUnsafe(8)
  payload.writeUInt32BE(bytes, payload.writeUInt32BE(chunks))
  return payload
}

/** Undefined for a payload with another size. */
export const decodeWindow = (bytes: Buffer, start: number, end: number): StreamWindow | undefined =>
  end - start === 8 ? { chunks: bytes.readUInt32BE(start), bytes: bytes.readUInt32BE(start + 4) } : undefined

/** The chunk's frame in two parts; the second is the chunk's `data`, not a copy. */
export const encodeChunk = (
  kinds: ChunkKinds,
  sequence: number,
  chunk: object,
  packing?: ChunkPacking<unknown>,
): readonly [head: Uint8Array, data: Uint8Array] => {
  const { data } = chunk as { data?: Uint8Array }
  const dataBytes = data?.length ?? 0
  const numbers = packing?.pack(chunk)
  // Data without bytes stays in the JSON, as the empty string.
  const json = numbers === undefined ? encodeJson({ ...chunk, data: data && dataBytes === 0 ? '' : undefined }) : empty
  const kind = numbers === undefined ? kinds.chunk : kinds.packed!
  const length = numbers === undefined ? json.length : numbers.length * numberBytes
  const frame = Buffer.allocUnsafe(headerBytes + 4 + length)
  writeHeader(frame, kind, sequence, 4 + length + dataBytes)
  let at = frame.writeUInt32BE(length, headerBytes)
  for (const number of numbers ?? []) at = frame.writeDoubleBE(number, at)
  frame.set(json, at)
  return [frame, data ?? empty]
}

const dataStart = (bytes: Buffer, start: number, end: number): number => {
  const dataAt = start + 4 + bytes.readUInt32BE(start)
  if (dataAt > end) throw new RangeError('a chunk is shorter than its length')
  return dataAt
}

/** A chunk's JSON with its `data`. Throws on a malformed payload. */
export const decodeChunk = (bytes: Buffer, start: number, end: number): unknown => {
  const dataAt = dataStart(bytes, start, end)
  const chunk = JSON.parse(bytes.toString('utf8', start + 4, dataAt)) as { data?: Uint8Array | string }
  if (dataAt < end || chunk.data === '') chunk.data = bytes.subarray(dataAt, end)
  return chunk
}

/** Throws on a malformed payload, and what `packing.unpack` throws. */
export const decodePacked = (bytes: Buffer, start: number, end: number, packing: ChunkPacking<unknown>): unknown => {
  const dataAt = dataStart(bytes, start, end)
  const numbers: number[] = []
  let at = start + 4
  for (; at < dataAt; at += numberBytes) numbers.push(bytes.readDoubleBE(at))
  if (at !== dataAt) throw new RangeError('a packed chunk ends in the middle of a number')
  return packing.unpack(numbers, bytes.subarray(dataAt, end))
}
