import type { FliteLibrary } from './flite-library.js'
import type { Pointer } from './flite-memory.js'

/** Where the sound of an utterance begins and ends, in ms from its first sample: between its first and its last pause. */
export interface UtteranceSound {
  readonly startMs: number
  readonly endMs: number
}

export const utteranceSound = (
  { firstItem, nextItem, itemText, itemNumber }: FliteLibrary,
  utterance: Pointer,
): UtteranceSound => {
  let startMs: number | undefined
  let endMs = 0
  let segmentStartMs = 0
  for (let segment = firstItem(utterance, 'Segment'); segment !== null; segment = nextItem(segment)) {
    const segmentEndMs = itemNumber(segment, 'end') * 1000
    if (itemText(segment, 'name') !== 'pau') {
      startMs ??= segmentStartMs
      endMs = segmentEndMs
    }
    segmentStartMs = segmentEndMs
  }
  return { startMs: startMs ?? 0, endMs }
}
