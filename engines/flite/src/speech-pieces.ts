/**
 * flite plans a whole utterance before its first sound, and cannot be stopped while it plans. So it is given a sentence
 * at a time; a long one in its clauses; and in any case no more than it plans in a few hundredths of a second.
 */
const longSentence = 40
const longestPiece = 90
const longestWord = 32

const abbreviations = new Set(
  'dr mr mrs ms st prof sr jr vs etc no vol gen col sgt capt lt rev hon inc ltd co mt ft dept est approx'.split(' '),
)

const endsSentence = (word: string): boolean => {
  const [, before, end] = /^(.*?)([.!?]+)["')\]}]*$/.exec(word) ?? []
  if (end === undefined) return false
  const bare = before!.replace(/^["'([{]+/, '')
  return end !== '.' || !(/^(?:[a-z]|[a-z](?:\.[a-z])+)$/i.test(bare) || abbreviations.has(bare.toLowerCase()))
}

const endsClause = (word: string): boolean => /[,;:]["')\]}]*$/.test(word)

/** Cuts a text into pieces that, joined, are the text. */
export const speechPieces = (text: string): string[] => {
  const pieces: string[] = []
  let piece = ''
  for (const [part] of text.matchAll(new RegExp(`\\s*\\S{1,${longestWord}}\\s*|\\s+`, 'g'))) {
    piece += part
    const word = part.trim()
    const cut =
      endsSentence(word) ||
      word.length === longestWord ||
      piece.length >= longestPiece ||
      (piece.length >= longSentence && endsClause(word))
    if (!cut) continue
    pieces.push(piece)
    piece = ''
  }
  if (piece !== '') pieces.push(piece)
  return pieces
}
