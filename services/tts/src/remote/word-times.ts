import type { WordMark } from '@parlance/engine/protocol'

/** How far ahead a word is searched. A word that the server spells differently must not skip half the text. */
const maxSkipped = 80
const edges = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu

/**
 * Finds the words that a server reports, in order, in the text. A word that is not found, such as a number that was written out,
 * has no mark.
 */
export const createWordTimes = (text: string) => {
  const lowered = text.toLowerCase()
  // The lower case of a few scripts has another length; then the search is case-sensitive.
  const searched = lowered.length === text.length ? lowered : text
  let cursor = 0

  return (named: string, startMs: number, endMs: number): WordMark[] => {
    const bare = named.replace(edges, '')
    const wanted = searched === lowered ? bare.toLowerCase() : bare
    if (wanted === '') return []
    const at = searched.slice(cursor, cursor + maxSkipped + wanted.length).indexOf(wanted)
    if (at === -1) return []
    const textStart = cursor + at
    const textEnd = textStart + wanted.length
    cursor = textEnd
    return [{ text: text.slice(textStart, textEnd), textStart, textEnd, startMs, endMs }]
  }
}
