import type { AudioOutput, SynthesisChunk } from '@parlance/contracts'
import { streamFrameHeaderBytes } from '@parlance/contracts'
import type { FramePayload } from '../websocket/frame-writer.js'

export type AudioChunk = Extract<SynthesisChunk, { event: 'audio' }>

export interface FramedContext {
  readonly id: string
  readonly index: number
  readonly frames: 'base64' | 'binary'
}

/** Formats whose segments can be concatenated without a gap. */
export const streamedFormats: ReadonlySet<AudioOutput['format']> = new Set(['pcm_s16le', 'ulaw', 'alaw'])

const version = 1
const audioKind = 1

/** The payload of a chunk's WebSocket frame. Called once for each chunk, in order, when the chunk is sent. */
export type AudioPayload = (context: FramedContext, chunk: AudioChunk) => FramePayload

/** In our own protocol: JSON text for `base64`, else the header of the contract and the bytes. */
export const audioFramePayload: AudioPayload = (context, chunk) =>
  context.frames === 'base64' ? textPayload(context, chunk) : binaryPayload(context, chunk)

const textPayload = ({ id }: FramedContext, chunk: AudioChunk): FramePayload => {
  const { seq, segment, start_ms, duration_ms, data } = chunk
  const head = `{"event":"audio","context_id":${JSON.stringify(id)},"seq":${seq},"segment":${segment},"start_ms":${start_ms},"duration_ms":${duration_ms},"data":"`
  return base64Payload(head, data, '"}')
}

/**
 * JSON text with bytes in base64 between its head and its tail. Without `JSON.stringify`: base64 needs no escapes, and the search for
 * characters to escape would cost more than the rest.
 */
export const base64Payload = (head: string, data: Uint8Array, tail: string): FramePayload => {
  const base64 = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64')
  const headBytes = Buffer.byteLength(head)
  return {
    kind: 'text',
    bytes: headBytes + base64.length + Buffer.byteLength(tail),
    writeTo(frame, at) {
      frame.write(head, at)
      frame.write(base64, at + headBytes, 'latin1')
      frame.write(tail, at + headBytes + base64.length)
    },
  }
}

const binaryPayload = ({ index }: FramedContext, { seq, start_ms, data }: AudioChunk): FramePayload => ({
  kind: 'binary',
  bytes: streamFrameHeaderBytes + data.byteLength,
  writeTo(frame, at) {
    frame[at] = version
    frame[at + 1] = audioKind
    frame.writeUInt16BE(index, at + 2)
    frame.writeUInt32BE(seq, at + 4)
    frame.writeUInt32BE(Math.round(start_ms), at + 8)
    frame.set(data, at + streamFrameHeaderBytes)
  },
})
