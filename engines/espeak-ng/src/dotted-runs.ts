/**
 * eSpeak NG looks words such as `a.b.c` up as one. Up to 1.51 it gathers them in 160 bytes on the stack without looking
 * at how long they are: single characters with a dot after each, and whatever follows the last dot. Here such runs are
 * measured in the text, generously, since eSpeak takes some characters out and puts spaces between others.
 */

/** More links than any abbreviation has. A link is at most 5 bytes: a character and its dot. */
const maxLinks = 8
/** Of what follows a dot. With the links it stays well below 160. */
const maxFollowingBytes = 80
/** What stands between two dots may lose some characters and be a single one then. */
const maxLinkCharacters = 4

const followingPart = /\s*([^\s.]*)/y

/** One dot, or several with nothing but space between them. */
const dots = /\.(?:[\s.]*\.)?/g

/** Where in `text` are dots that eSpeak must not see, in ascending order. Spaces in their place end the run. */
export const excessDots = (text: string): number[] => {
  const excess: number[] = []
  let links = 0
  let partStart = 0
  for (const { 0: run, index: start } of text.matchAll(dots)) {
    const end = start + run.length
    const part = text.slice(partStart, start)
    partStart = end
    // eSpeak itself leaves out the dot between a letter and a space.
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
