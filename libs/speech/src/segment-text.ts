import { maxSegmentLength } from './segment-cutter.js'
import { sentencesOf } from './sentences/sentences-of.js'

/**
 * Cuts a whole text into segments that are spoken one after the other: whole sentences, packed together while they are
 * short, because a voice sounds best over a few of them. Joined, the segments are the text, verbatim; what is left at its
 * end with nothing to say stays with the last while there is room.
 */
export const segmentText = (text: string, language: string | null): string[] => {
  const segments: string[] = []
  let packed = ''
  for (const sentence of sentencesOf(text, language)) {
    if (packed !== '' && packed.length + sentence.length > maxSegmentLength) {
      segments.push(packed)
      packed = ''
    }
    packed += sentence
  }
  if (packed !== '') segments.push(packed)
  return segments
}
