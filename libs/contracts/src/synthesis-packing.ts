import type { ChunkPacking } from './contract.js'
import type { SynthesisChunk } from './tts.js'

/** The first number of each packed chunk is its kind. */
const kinds = { audio: 0, segment: 1, done: 2 } as const

/** The frequent chunks of a synthesis, and its end: the fields in the order of the schema, without the data. */
export const synthesisPacking: ChunkPacking<SynthesisChunk> = {
  pack(chunk) {
    switch (chunk.event) {
      case 'audio':
        return [kinds.audio, chunk.seq, chunk.segment, chunk.start_ms, chunk.duration_ms]
      case 'segment':
        return [kinds.segment, chunk.segment, chunk.characters, chunk.pause_ms ?? 0]
      case 'done':
        return [kinds.done, chunk.audio_duration_ms, chunk.characters_billed, chunk.ttfa_ms]
      default:
        return undefined
    }
  },

  unpack(numbers, data) {
    const kind = numbers[0]
    if (kind === kinds.audio) return unpackAudio(numbers, data)
    if (data.length > 0) throw new RangeError('only audio has data')
    if (kind === kinds.segment) return unpackSegment(numbers)
    if (kind === kinds.done) return unpackDone(numbers)
    throw new RangeError('unknown chunk kind')
  },
}

const unpackAudio = (numbers: readonly number[], data: Uint8Array): SynthesisChunk => {
  if (numbers.length !== 5) throw new RangeError('an audio chunk must have four numbers after its kind, and data')
  const [, seq, segment, start_ms, duration_ms] = numbers as [number, number, number, number, number]
  if (!isCount(seq) || !isCount(segment)) throw new RangeError('audio chunk without a frame or segment number')
  if (!isTime(start_ms) || !isTime(duration_ms)) throw new RangeError('audio chunk without a start time')
  return { event: 'audio', seq, segment, start_ms, duration_ms, data }
}

const unpackSegment = (numbers: readonly number[]): SynthesisChunk => {
  if (numbers.length !== 4) throw new RangeError('a segment chunk must have three numbers after its kind')
  const [, segment, characters, pause_ms] = numbers as [number, number, number, number]
  if (!isCount(segment) || !isCount(characters)) throw new RangeError('segment chunk with an invalid count')
  if (!isTime(pause_ms)) throw new RangeError('segment chunk with an invalid pause')
  return pause_ms === 0
    ? { event: 'segment', segment, characters }
    : { event: 'segment', segment, characters, pause_ms }
}

const unpackDone = (numbers: readonly number[]): SynthesisChunk => {
  if (numbers.length !== 4) throw new RangeError('a done chunk must have three numbers after its kind')
  const [, audio_duration_ms, characters_billed, ttfa_ms] = numbers as [number, number, number, number]
  if (!isCount(characters_billed)) throw new RangeError('done chunk with an invalid character count')
  if (!isTime(audio_duration_ms) || !isTime(ttfa_ms)) throw new RangeError('done chunk with an invalid time')
  return { event: 'done', audio_duration_ms, characters_billed, ttfa_ms }
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0
const isTime = (ms: number): boolean => ms >= 0 && ms < Number.POSITIVE_INFINITY
