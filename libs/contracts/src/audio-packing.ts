import type { ChunkPacking } from './contract.js'
import type { SynthesisChunk } from './tts.js'

/** The audio of a synthesis, a frame at a time: `seq, segment, start_ms, duration_ms`. */
export const audioPacking: ChunkPacking<SynthesisChunk> = {
  pack: (chunk) =>
    chunk.event === 'audio' ? [chunk.seq, chunk.segment, chunk.start_ms, chunk.duration_ms] : undefined,

  unpack(numbers, data) {
    if (numbers.length !== 4) throw new RangeError('packed audio has four numbers and its data')
    const [seq, segment, start_ms, duration_ms] = numbers as [number, number, number, number]
    if (!isCount(seq) || !isCount(segment)) throw new RangeError('packed audio is of no frame or no segment')
    if (!isTime(start_ms) || !isTime(duration_ms)) throw new RangeError('packed audio is at no time')
    return { event: 'audio', seq, segment, start_ms, duration_ms, data }
  },
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0
const isTime = (ms: number): boolean => ms >= 0 && ms < Number.POSITIVE_INFINITY
