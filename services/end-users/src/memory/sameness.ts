import { createHash } from 'node:crypto'

/** SHA-256 of what is left of a fact without case, marks and spaces: the same for texts that say the same in the same words. */
export const sameness = (text: string): Buffer => {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu)
  return createHash('sha256')
    .update(words?.join(' ') ?? text)
    .digest()
}
