import type { Alignment, AlignmentKind } from '@parlance/contracts'

/** `alignment` with only the requested kinds; the others are empty arrays. */
export const requestedAlignment = (
  { words, phonemes, visemes }: Alignment,
  requested: readonly AlignmentKind[],
): Alignment => ({
  words: requested.includes('word') ? words : [],
  phonemes: requested.includes('phoneme') ? phonemes : [],
  visemes: requested.includes('viseme') ? visemes : [],
})
