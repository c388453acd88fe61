import { createSegmentCutter, maxSegmentLength } from './segment-cutter.js'

/**
 * Cuts a whole text into segments that are spoken one after the other: whole sentences, packed together while they are
 * short, because a voice sounds best over a few of them. Joined, the segments are the text, verbatim; what is left at its
 * end with nothing to say stays with the last while there is room.
 */
export const segmentText = (text: string, language: string | null): string[] => {
  const segments: string[] = []
  let packed = ''
  const pack = (piece: string) => {
    if (packed !== '' && packed.length + piece.length > maxSegmentLength) {
      segments.push(packed)
      packed = ''
    }
    packed += piece
  }

  const cutter = createSegmentCutter(language)
  cutter.add(text)
  const sentence = () => cutter.next(Number.POSITIVE_INFINITY) ?? cutter.rest(false)
  for (let piece = sentence(); piece !== ''; piece = sentence()) pack(piece)
  if (packed !== '') segments.push(packed)
  return segments
}
