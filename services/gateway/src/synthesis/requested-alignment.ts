import type { Alignment, AlignmentKind } from '@parlance/contracts'

/** `alignment` with only the kinds that were asked for; the others are there and empty. */
export const requestedAlignment = (
  { words, phonemes, visemes }: Alignment,
  requested: readonly AlignmentKind[],
): Alignment => ({
  words: requested.includes('word') ? words : [],
  phonemes: requested.includes('phoneme') ? phonemes : [],
  visemes: requested.includes('viseme') ? visemes : [],
})
