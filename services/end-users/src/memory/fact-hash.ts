import { createHash } from 'node:crypto'

/** SHA-256 of a fact without case, punctuation and spaces, so that facts in the same words have the same hash. */
export const factHash = (text: string): Buffer => {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu)
  return createHash('sha256')
    .update(words?.join(' ') ?? text)
    .digest()
}
