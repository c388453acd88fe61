import type { AudioOutput, SynthesisChunk } from '@parlance/contracts'
import { streamFrameHeaderBytes } from '@parlance/contracts'

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

/** A chunk as it is sent: text for `base64`, else the header of the contract and the bytes. */
export const encodeAudioFrame = ({ id, index, frames }: FramedContext, chunk: AudioChunk): string | Buffer => {
  const { seq, segment, start_ms, duration_ms, data } = chunk
  if (frames === 'base64') {
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    // Written by hand: base64 needs no escaping, and looking through it for what does costs more than all else here.
    return `{"event":"audio","context_id":${JSON.stringify(id)},"seq":${seq},"segment":${segment},"start_ms":${start_ms},"duration_ms":${duration_ms},"data":"${bytes.toString('base64')}"}`
  }
  const frame = Buffer.allocUnsafe(streamFrameHeaderBytes + data.byteLength)
  frame.writeUInt8(version, 0)
  frame.writeUInt8(audioKind, 1)
  frame.writeUInt16BE(index, 2)
  frame.writeUInt32BE(seq, 4)
  frame.writeUInt32BE(Math.round(start_ms), 8)
  frame.set(data, streamFrameHeaderBytes)
  return frame
}
