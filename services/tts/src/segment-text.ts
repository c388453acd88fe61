/** Longest segment, in UTF-16 units: some twenty seconds of speech. */
export const maxSegmentLength = 300

/**
 * Cuts a text into segments that are spoken one after the other: whole sentences, packed together while they are short,
 * because a voice sounds best over a few of them. A sentence that is too long is cut after a clause mark, else after a
 * space, else between two characters. Joined, the segments are the text, verbatim.
 */
export const segmentText = (text: string, language: string): string[] => {
  const segments: string[] = []
  let packed = ''
  for (const sentence of sentencesOf(text, language)) {
    for (const piece of piecesOf(sentence)) {
      if (packed !== '' && packed.length + piece.length > maxSegmentLength) {
        segments.push(packed)
        packed = ''
      }
      packed += piece
    }
  }
  if (packed !== '') segments.push(packed)
  return segments
}

const segmenters = new Map<string, Intl.Segmenter>()

/** What ends in a full stop that ends no sentence: initials, titles, and the abbreviations that names and numbers follow. */
const abbreviation = /(?:^|[\s(])(?:\p{Lu}|Dr|Mrs?|Ms|Prof|St|Nr|No|Hr|Fr|Sra?|Mme|vs|e\.g|i\.e|z\.\s?B|bzw|ca)\.\s*$/u

const sentencesOf = (text: string, language: string): string[] => {
  let segmenter = segmenters.get(language)
  if (segmenter === undefined) {
    segmenter = new Intl.Segmenter(language, { granularity: 'sentence' })
    segmenters.set(language, segmenter)
  }
  const sentences: string[] = []
  for (const { segment } of segmenter.segment(text)) {
    const previous = sentences.at(-1)
    if (previous !== undefined && abbreviation.test(previous.slice(-10))) sentences[sentences.length - 1] += segment
    else sentences.push(segment)
  }
  return sentences
}

const piecesOf = (sentence: string): string[] => {
  const pieces: string[] = []
  let rest = sentence
  while (rest.length > maxSegmentLength) {
    const end = cutAt(rest)
    pieces.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  pieces.push(rest)
  return pieces
}

const cutAt = (text: string): number => {
  const start = text.slice(0, maxSegmentLength)
  // A mark before a digit is part of a number or a time.
  const clause = [...start.matchAll(/[,;:–—،、，；：](?!\d|$)/gu)].at(-1)?.index ?? 0
  if (clause >= maxSegmentLength / 3) return clause + 1
  const space = start.search(/\s\S*$/u)
  if (space >= maxSegmentLength / 3) return space + 1
  return lastBoundary(start)
}

/** The last place where a cut parts no surrogate pair and leaves no accent or joiner at the head of the next piece. */
const lastBoundary = (start: string): number => {
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  const last = Array.from(graphemes.segment(start), ({ index }) => index).at(-1)
  return last === undefined || last === 0 ? wholeCharacters(start) : last
}

const wholeCharacters = (start: string): number => start.length - (/[\uD800-\uDBFF]$/.test(start) ? 1 : 0)
