/**
 * A frame on the pipe, numbers little-endian:
 *
 *     u32 length of all that follows | u16 kind | u32 job | payload
 *
 * The header has an even length, so that samples mostly lie where they can be used as they are.
 * Job 0 belongs to the process itself (its `hello`); a job's frames carry the number it began with.
 */
const lengthBytes = 4
const headerBytes = lengthBytes + 2 + 4

/** Longer frames are refused on both sides: a wrong length must not make the reader wait for gigabytes. */
export const maxFrameBytes = 1024 * 1024

const kinds = ['hello', 'speak', 'cancel', 'audio', 'marks', 'end', 'error', 'hear', 'text'] as const

/**
 * From any engine: `hello` (once, JSON; or `error` of job 0 where it cannot work on this machine), and last of a job `end`
 * or `error` (JSON). To any engine: `cancel`. A cancelled job still ends with `end`.
 *
 * Speech is made of text: `speak` (JSON) begins a job, `audio` (raw s16le) and `marks` (JSON) come back.
 * Text is made of speech: `hear` (JSON) begins a job, `audio` goes on with it and `end` ends it; `text` (JSON) comes back
 * whenever what is understood changes, the last being the result, and then `end` (JSON).
 */
export type FrameKind = (typeof kinds)[number]

export interface Frame {
  readonly kind: FrameKind
  readonly job: number
  readonly payload: Uint8Array
}

/** The other side does not speak this protocol, or not any more: nothing after this can be trusted. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
}

const nothing = new Uint8Array(0)

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

/** A frame whose payload is `value` as JSON. */
export const encodeJsonFrame = (kind: FrameKind, job: number, value: unknown): Uint8Array =>
  encodeFrame(kind, job, utf8.encode(JSON.stringify(value)))

/** The JSON of a frame, unchecked as to its shape. Throws `ProtocolError` when it is not JSON. */
export const jsonOf = (frame: Frame): unknown => {
  try {
    return JSON.parse(strictUtf8.decode(frame.payload))
  } catch (cause) {
    throw new ProtocolError(`the payload of a ${frame.kind} frame is not JSON`, { cause })
  }
}

/**
 * Gives back the frames in what has come so far, however it was cut; the pieces are the decoder's to keep, and the payloads,
 * which lie in them, the reader's. Throws `ProtocolError` on a length or kind that cannot be, as soon as it is seen; after
 * that the decoder is of no more use.
 */
export const createFrameDecoder = (): ((chunk: Uint8Array) => Frame[]) => {
  /** Of a frame that is not whole yet, put together once it is. */
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
      if (kind === undefined) throw new ProtocolError(`there is no frame kind ${number}`)
      const job = view.getUint32(start + lengthBytes + 2, true)
      frames.push({ kind, job, payload: bytes.subarray(start + headerBytes, end) })
      start = end
    }
    keptBytes = bytes.length - start
    pieces = keptBytes === 0 ? [] : [bytes.subarray(start)]
    return frames
  }
}

/** The samples (s16le) of an audio frame, where they lie if they lie well. Throws `ProtocolError` for half of one. */
export const samplesOf = ({ payload }: Pick<Frame, 'payload'>): Int16Array => {
  if (payload.length % 2 !== 0) throw new ProtocolError('an audio frame ends within a sample')
  const { buffer, byteOffset, length } = payload.byteOffset % 2 === 0 ? payload : payload.slice()
  return new Int16Array(buffer, byteOffset, length / 2)
}

const joined = (pieces: readonly Uint8Array[], length: number): Uint8Array => {
  const [first] = pieces
  // Seen as what it says it is: the `slice` of a Buffer is no copy.
  if (pieces.length === 1) return new Uint8Array(first!.buffer, first!.byteOffset, first!.byteLength)
  // Not filled with zeros before it is filled with what is there.
  const bytes = new Uint8Array(Buffer.allocUnsafeSlow(length).buffer)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}
