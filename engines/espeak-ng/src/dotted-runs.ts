/**
 * Runs of dotted characters that overflow a buffer of eSpeak NG.
 *
 * eSpeak NG looks up words such as `a.b.c` as one word. Up to version 1.51 it copies them into 160 bytes on the stack without
 * a check of their length: single characters with a dot after each, and the text that follows the last dot. This module
 * measures such runs with a margin, since eSpeak removes some characters and puts spaces between others.
 */

/** Abbreviations have fewer. A link is a character and its dot, at most 5 bytes. */
const maxLinks = 8
/** The length of the text that follows a dot. Together with the links it stays well below 160 bytes. */
const maxFollowingBytes = 80
/** eSpeak may remove characters between two dots until a single one is left. */
const maxLinkCharacters = 4

const followingPart = /\s*([^\s.]*)/y

/** One dot, or several with only white space between them. */
const dots = /\.(?:[\s.]*\.)?/g

/**
 * Returns the offsets of the dots in `text` that have to be replaced by spaces, in UTF-16 units and ascending order. A space
 * ends the run.
 */
export const excessDots = (text: string): number[] => {
  const excess: number[] = []
  let links = 0
  let partStart = 0
  for (const { 0: run, index: start } of text.matchAll(dots)) {
    const end = start + run.length
    const part = text.slice(partStart, start)
    partStart = end
    // eSpeak itself removes the dot between a letter and a space.
    if (run === '.' && /[\p{L}\p{N}]$/u.test(part) && /\s/.test(text[end] ?? ' ')) {
      links = 0
      continue
    }
    const words = part.trim().split(/\s+/)
    if (words.length === 1 && isShort(words[0]!)) links += 1
    else links = isShort(words.at(-1)!) ? 1 : 0
    if (links <= maxLinks && followingBytes(text, end) <= maxFollowingBytes) continue
    for (let at = start; at < end; at++) if (text[at] === '.') excess.push(at)
    links = 0
  }
  return excess
}

const isShort = (word: string): boolean => word.length <= 2 * maxLinkCharacters && [...word].length <= maxLinkCharacters

const followingBytes = (text: string, dotEnd: number): number => {
  followingPart.lastIndex = dotEnd
  return Buffer.byteLength(followingPart.exec(text)![1]!)
}
