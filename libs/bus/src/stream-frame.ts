/**
 * The frames of a server stream. A message holds one or more of them, each `u8 kind, u32 count, u32 length, payload`.
 *
 * Producer to consumer, on the consumer's mailbox, where the count is a sequence number:
 *   open       the first; its reply subject is where the consumer sends its control frames
 *   chunk      payload `u32 length, JSON, bytes`: the JSON without `data`, then `data`
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
import { asBuffer, encodeJson } from './wire.js'

export const frameKind = { open: 0, chunk: 1, end: 2, error: 3, heartbeat: 4 } as const
export type FrameKind = (typeof frameKind)[keyof typeof frameKind]

export const controlKind = { credit: 0, cancel: 1, alive: 2 } as const
export type ControlKind = (typeof controlKind)[keyof typeof controlKind]

const headerBytes = 9
const empty = new Uint8Array(0)

const withHeader = (kind: number, count: number, payloadBytes: number): Buffer => {
  const frame = Buffer.allocUnsafe(headerBytes + payloadBytes)
  frame.writeUInt8(kind, 0)
  frame.writeUInt32BE(count, 1)
  frame.writeUInt32BE(payloadBytes, 5)
  return frame
}

export const encodeFrame = (kind: FrameKind, sequence: number, payload: Uint8Array = empty): Uint8Array => {
  const frame = withHeader(kind, sequence, payload.length)
  frame.set(payload, headerBytes)
  return frame
}

export const encodeControl = (kind: ControlKind, count = 0): Uint8Array => withHeader(kind, count, 0)

export interface StreamFrame {
  readonly kind: number
  readonly count: number
  readonly payload: Buffer
}

/** The frames of a message of either direction, up to the first that is not whole. */
export const decodeFrames = (message: Uint8Array): readonly StreamFrame[] => {
  const bytes = asBuffer(message)
  const frames: StreamFrame[] = []
  for (let start = 0; start + headerBytes <= bytes.length; ) {
    const end = start + headerBytes + bytes.readUInt32BE(start + 5)
    if (end > bytes.length) break
    const payload = bytes.subarray(start + headerBytes, end)
    frames.push({ kind: bytes[start]!, count: bytes.readUInt32BE(start + 1), payload })
    start = end
  }
  return frames
}

export const encodeChunk = (sequence: number, chunk: object): Uint8Array => {
  const { data = empty, ...rest } = chunk as { data?: Uint8Array }
  const json = encodeJson(rest)
  const frame = withHeader(frameKind.chunk, sequence, 4 + json.length + data.length)
  frame.writeUInt32BE(json.length, headerBytes)
  frame.set(json, headerBytes + 4)
  frame.set(data, headerBytes + 4 + json.length)
  return frame
}

/** A chunk's JSON with `data` put back when bytes came with it. Throws on a malformed payload. */
export const decodeChunk = (payload: Buffer): unknown => {
  const dataAt = 4 + payload.readUInt32BE(0)
  if (dataAt > payload.length) throw new RangeError('a chunk is shorter than it says')
  const chunk = JSON.parse(payload.toString('utf8', 4, dataAt)) as { data?: Uint8Array }
  if (dataAt < payload.length) chunk.data = payload.subarray(dataAt)
  return chunk
}
