import type { WordMark } from '@parlance/engine/protocol'

/** A word is looked for this far ahead: one that the server writes differently must not make us skip half the text. */
const maxSkipped = 80
const edges = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu

/**
 * Finds the words that a server names, in the order of the text, in the text. A word that does not stand there (a number
 * that was written out) has no mark.
 */
export const createWordTimes = (text: string) => {
  const lowered = text.toLowerCase()
  // Lower case may be longer or shorter in a few scripts; then only what is written alike is found.
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
