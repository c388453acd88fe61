/** What is spoken in one go, with its place in the text. */
export interface SpeechPiece {
  readonly text: string
  /** In UTF-16 units. */
  readonly start: number
}

/** A clause may be a piece when it is this long; shorter ones sound torn from what follows. In UTF-16 units. */
const clauseLength = 60
/** A sentence without any mark is cut between two words. */
const maxLength = 250

const places = /(?<clause>[,;:–—]\s+|[，、；：])|(?<sentence>[.!?…]+["'”’»)\]]*\s+|[。！？])|\s+/gu

/**
 * Cuts long sentences at the ends of clauses. A model gives nothing before a piece is done and cannot be stopped within one,
 * so a shorter piece is heard sooner and left sooner. The pieces, joined, are the text; whole sentences, which the library
 * parts by itself, stay together.
 */
export const speechPieces = (text: string): SpeechPiece[] => {
  const starts = [0]
  let sentenceStart = 0
  for (const place of text.matchAll(places)) {
    const end = place.index + place[0].length
    if (place.groups?.sentence !== undefined) {
      sentenceStart = end
      continue
    }
    const length = end - Math.max(sentenceStart, starts.at(-1)!)
    if (length >= (place.groups?.clause === undefined ? maxLength : clauseLength) && end < text.length) starts.push(end)
  }
  return starts.map((start, index) => ({ text: text.slice(start, starts[index + 1]), start }))
}
