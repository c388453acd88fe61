/**
 * A frame on the pipe, numbers little-endian:
 *
 *     u32 length of the rest | u16 kind | u32 job | payload
 *
 * The header has an even length, so that most samples are aligned and need no copy. Job 0 is the process itself (its `hello`);
 * the frames of a job carry its number.
 */
const lengthBytes = 4
const headerBytes = lengthBytes + 2 + 4

/** Both sides refuse longer frames, so that a wrong length does not make the reader wait for gigabytes. */
export const maxFrameBytes = 1024 * 1024

const kinds = ['hello', 'speak', 'cancel', 'audio', 'marks', 'end', 'error', 'recognize', 'text', 'detect'] as const

/**
 * From every engine: `hello` (once, JSON; or `error` of job 0 when it cannot work on this machine), and at the end of a job
 * `end` or `error` (JSON). To every engine: `cancel`. A cancelled job still ends with `end`.
 *
 * Synthesis: `speak` (JSON) begins a job; `audio` (raw s16le) and `marks` (JSON) come back.
 * Recognition: `recognize` (JSON) begins a job, `audio` continues it and `end` ends it; `text` (JSON) comes back whenever the
 * recognized text changes, the last being the result, and then `end` (JSON).
 * Turn detection: `detect` (raw s16le) is a whole job, and `end` (JSON) is its answer.
 */
export type FrameKind = (typeof kinds)[number]

export interface Frame {
  readonly kind: FrameKind
  readonly job: number
  readonly payload: Uint8Array
}

/** The other side broke the protocol. Nothing that it sends afterwards can be trusted. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
}

const nothing = new Uint8Array(0)

/**
 * One frame: its length, kind and job number, and the payload's bytes. Throws `ProtocolError` when it is longer than
 * `maxFrameBytes`.
 */
export const encodeFrame = (kind: FrameKind, job: number, payload: Uint8Array = nothing): Uint8Array => {
  const bytes = new Uint8Array(headerBytes + payload.length)
  if (bytes.length > maxFrameBytes) throw new ProtocolError(`a frame of ${bytes.length} bytes is too long`)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, bytes.length - lengthBytes, true)
  view.setUint16(lengthBytes, kinds.indexOf(kind), true)
  view.setUint32(lengthBytes + 2, job, true)
  bytes.set(payload, headerBytes)
  return bytes
}

const utf8 = new TextEncoder()
const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/** Encodes a frame whose payload is `value` as JSON. */
export const encodeJsonFrame = (kind: FrameKind, job: number, value: unknown): Uint8Array =>
  encodeFrame(kind, job, utf8.encode(JSON.stringify(value)))

/** Parses the payload of a frame as JSON; its shape is not checked. Throws `ProtocolError` when it is not JSON. */
export const jsonOf = (frame: Frame): unknown => {
  try {
    return JSON.parse(strictUtf8.decode(frame.payload))
  } catch (cause) {
    throw new ProtocolError(`the payload of a ${frame.kind} frame is not JSON`, { cause })
  }
}

/**
 * Creates a decoder that returns the frames completed by each chunk, however the bytes are divided. The decoder keeps the
 * chunks, and payloads are views of them. It throws `ProtocolError` on an invalid length or kind, and cannot be used after
 * that.
 */
export const createFrameDecoder = (): ((chunk: Uint8Array) => Frame[]) => {
  /** The chunks of an incomplete frame, which are joined when it is complete. */
  let pieces: Uint8Array[] = []
  let keptBytes = 0
  let wantedBytes = 0

  return (chunk) => {
    pieces.push(chunk)
    keptBytes += chunk.length
    if (keptBytes < wantedBytes) return []
    const bytes = joined(pieces, keptBytes)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const frames: Frame[] = []
    let start = 0
    wantedBytes = lengthBytes
    while (bytes.length - start >= lengthBytes) {
      const length = view.getUint32(start, true)
      const end = start + lengthBytes + length
      if (length < headerBytes - lengthBytes || end - start > maxFrameBytes) {
        throw new ProtocolError(`a frame cannot be ${length} bytes long`)
      }
      if (bytes.length < end) {
        wantedBytes = end - start
        break
      }
      const number = view.getUint16(start + lengthBytes, true)
      const kind = kinds[number]
      if (kind === undefined) throw new ProtocolError(`unknown frame kind ${number}`)
      const job = view.getUint32(start + lengthBytes + 2, true)
      frames.push({ kind, job, payload: bytes.subarray(start + headerBytes, end) })
      start = end
    }
    keptBytes = bytes.length - start
    pieces = keptBytes === 0 ? [] : [bytes.subarray(start)]
    return frames
  }
}

/**
 * Returns the samples (s16le) of an audio frame, as a view where they are aligned. Throws `ProtocolError` for half a
 * sample.
 */
export const samplesOf = ({ payload }: Pick<Frame, 'payload'>): Int16Array => {
  if (payload.length % 2 !== 0) throw new ProtocolError('an audio frame ends within a sample')
  const { buffer, byteOffset, length } = payload.byteOffset % 2 === 0 ? payload : payload.slice()
  return new Int16Array(buffer, byteOffset, length / 2)
}

const joined = (pieces: readonly Uint8Array[], length: number): Uint8Array => {
  const { buffer, byteOffset, byteLength } = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, length)
  // Not a Buffer: its `slice` does not copy.
  return new Uint8Array(buffer, byteOffset, byteLength)
}
