import type { SynthesisChunk } from '@parlance/contracts'

/** The origin of a part of a speech within the whole. */
export interface PartOrigin {
  readonly ms: number
  /** The number of its first segment. */
  readonly segment: number
}

type PlacedChunk = Extract<SynthesisChunk, { event: 'audio' | 'alignment' | 'segment' }>

/**
 * Moves a chunk from the clock and the segment numbers of its part to those of the whole. Times are ms, exact to a tenth:
 * parts that follow each other without a gap have no gap afterwards.
 */
export const rebaseChunk = <Chunk extends PlacedChunk>(chunk: Chunk, origin: PartOrigin): Chunk => {
  const segment = origin.segment + chunk.segment
  switch (chunk.event) {
    case 'audio': {
      const startTenths = tenths(origin.ms) + tenths(chunk.start_ms)
      const endTenths = tenths(origin.ms) + tenths(chunk.start_ms + chunk.duration_ms)
      return { ...chunk, segment, start_ms: startTenths / 10, duration_ms: (endTenths - startTenths) / 10 }
    }
    case 'alignment':
      return {
        ...chunk,
        segment,
        words: rebased(chunk.words, origin.ms),
        phonemes: rebased(chunk.phonemes, origin.ms),
        visemes: rebased(chunk.visemes, origin.ms),
      }
    default:
      return { ...chunk, segment }
  }
}

const rebased = <Mark extends { start_ms: number; end_ms: number }>(marks: readonly Mark[], originMs: number): Mark[] =>
  marks.map((mark) => ({ ...mark, start_ms: addMs(originMs, mark.start_ms), end_ms: addMs(originMs, mark.end_ms) }))

/** Rounds a time in ms to a tenth of a ms, which is finer than the precision of any engine. */
export const roundToTenth = (ms: number): number => tenths(ms) / 10

/** The sum of two times, rounded to a tenth of a ms. */
export const addMs = (a: number, b: number): number => (tenths(a) + tenths(b)) / 10

const tenths = (ms: number): number => Math.round(ms * 10)
