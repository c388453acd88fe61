import type { ChunkPacking } from './contract.js'
import type { SynthesisChunk } from './tts.js'

/** `seq, segment, start_ms, duration_ms`, each a big-endian f64, so that what is no whole number is seen to be none. */
const packedBytes = 4 * 8

/** The audio of a synthesis, a frame at a time. */
export const audioPacking: ChunkPacking<SynthesisChunk> = {
  pack(chunk) {
    if (chunk.event !== 'audio') return undefined
    const packed = new DataView(new ArrayBuffer(packedBytes))
    packed.setFloat64(0, chunk.seq)
    packed.setFloat64(8, chunk.segment)
    packed.setFloat64(16, chunk.start_ms)
    packed.setFloat64(24, chunk.duration_ms)
    return new Uint8Array(packed.buffer)
  },

  unpack(packed, data) {
    if (packed.byteLength !== packedBytes) throw new RangeError(`packed audio has ${packedBytes} bytes and its data`)
    const seq = packed.getFloat64(0)
    const segment = packed.getFloat64(8)
    const start_ms = packed.getFloat64(16)
    const duration_ms = packed.getFloat64(24)
    if (!isCount(seq) || !isCount(segment)) throw new RangeError('packed audio is of no frame or no segment')
    if (!isTime(start_ms) || !isTime(duration_ms)) throw new RangeError('packed audio is at no time')
    return { event: 'audio', seq, segment, start_ms, duration_ms, data }
  },
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0
const isTime = (ms: number): boolean => ms >= 0 && ms < Number.POSITIVE_INFINITY
