import type { ChunkPacking } from './contract.js'
import type { SynthesisChunk } from './tts.js'

/** The first number of each says what it is. */
const kinds = { audio: 0, segment: 1, done: 2 } as const

/** What every synthesis sends again and again, and its end: the fields in the order of the schema, without the data. */
export const synthesisPacking: ChunkPacking<SynthesisChunk> = {
  pack(chunk) {
    switch (chunk.event) {
      case 'audio':
        return [kinds.audio, chunk.seq, chunk.segment, chunk.start_ms, chunk.duration_ms]
      case 'segment':
        return [kinds.segment, chunk.segment, chunk.characters]
      case 'done':
        return [kinds.done, chunk.audio_duration_ms, chunk.characters_billed, chunk.ttfa_ms]
      default:
        return undefined
    }
  },

  unpack(numbers, data) {
    const [kind, ...fields] = numbers
    if (kind === kinds.audio) return unpackAudio(fields, data)
    if (data.length > 0) throw new RangeError('only audio has data')
    if (kind === kinds.segment) return unpackSegment(fields)
    if (kind === kinds.done) return unpackDone(fields)
    throw new RangeError('a packed chunk is of no kind that there is')
  },
}

const unpackAudio = (fields: readonly number[], data: Uint8Array): SynthesisChunk => {
  if (fields.length !== 4) throw new RangeError('packed audio has four numbers and its data')
  const [seq, segment, start_ms, duration_ms] = fields as [number, number, number, number]
  if (!isCount(seq) || !isCount(segment)) throw new RangeError('packed audio is of no frame or no segment')
  if (!isTime(start_ms) || !isTime(duration_ms)) throw new RangeError('packed audio is at no time')
  return { event: 'audio', seq, segment, start_ms, duration_ms, data }
}

const unpackSegment = (fields: readonly number[]): SynthesisChunk => {
  const [segment, characters] = fields as [number, number]
  if (fields.length !== 2 || !fields.every(isCount)) throw new RangeError('a packed segment has two counts')
  return { event: 'segment', segment, characters }
}

const unpackDone = (fields: readonly number[]): SynthesisChunk => {
  const [audio_duration_ms, characters_billed, ttfa_ms] = fields as [number, number, number]
  if (fields.length !== 3 || !isCount(characters_billed)) throw new RangeError('a packed end has three numbers')
  if (!isTime(audio_duration_ms) || !isTime(ttfa_ms)) throw new RangeError('a packed end has no times')
  return { event: 'done', audio_duration_ms, characters_billed, ttfa_ms }
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0
const isTime = (ms: number): boolean => ms >= 0 && ms < Number.POSITIVE_INFINITY
