import type { AudioOutput, SynthesisChunk } from '@parlance/contracts'
import { streamFrameHeaderBytes } from '@parlance/contracts'
import { allocateServerFrame } from '../websocket/server-frame.js'

export type AudioChunk = Extract<SynthesisChunk, { event: 'audio' }>

export interface FramedContext {
  readonly id: string
  readonly index: number
  readonly frames: 'base64' | 'binary'
}

/** Formats of which segments can be put one after the other: a file of its own for each would be heard at every seam. */
export const streamedFormats: ReadonlySet<AudioOutput['format']> = new Set(['pcm_s16le', 'ulaw', 'alaw'])

const version = 1
const audioKind = 1

/** A chunk as a WebSocket frame: text for `base64`, else the header of the contract and the bytes. */
export const encodeAudioFrame = (context: FramedContext, chunk: AudioChunk): Buffer =>
  context.frames === 'base64' ? encodeTextFrame(context, chunk) : encodeBinaryFrame(context, chunk)

/** Written by hand: base64 needs no escaping, and looking through it for what does costs more than all else here. */
const encodeTextFrame = ({ id }: FramedContext, { seq, segment, start_ms, duration_ms, data }: AudioChunk): Buffer => {
  const head = `{"event":"audio","context_id":${JSON.stringify(id)},"seq":${seq},"segment":${segment},"start_ms":${start_ms},"duration_ms":${duration_ms},"data":"`
  const base64 = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64')
  const headBytes = Buffer.byteLength(head)
  const { bytes, payloadAt } = allocateServerFrame('text', headBytes + base64.length + 2)
  bytes.write(head, payloadAt)
  bytes.write(base64, payloadAt + headBytes, 'latin1')
  bytes.write('"}', bytes.length - 2, 'latin1')
  return bytes
}

const encodeBinaryFrame = ({ index }: FramedContext, { seq, start_ms, data }: AudioChunk): Buffer => {
  const { bytes, payloadAt } = allocateServerFrame('binary', streamFrameHeaderBytes + data.byteLength)
  bytes[payloadAt] = version
  bytes[payloadAt + 1] = audioKind
  bytes.writeUInt16BE(index, payloadAt + 2)
  bytes.writeUInt32BE(seq, payloadAt + 4)
  bytes.writeUInt32BE(Math.round(start_ms), payloadAt + 8)
  bytes.set(data, payloadAt + streamFrameHeaderBytes)
  return bytes
}
