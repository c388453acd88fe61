// How many words of a transcript are wrong.

/** Words in small letters, without punctuation. */
export const wordsOf = (text) =>
  text
    .toLowerCase()
    .replaceAll("'", '')
    .match(/\p{L}+/gu) ?? []

/** The Levenshtein distance of two lists of words: how many must be put in, taken out or replaced. */
export const wordErrors = (spoken, recognized) => {
  let row = Array.from({ length: recognized.length + 1 }, (_, index) => index)
  for (const [index, word] of spoken.entries()) {
    const next = [index + 1]
    for (const [place, other] of recognized.entries()) {
      next.push(Math.min(next[place] + 1, row[place + 1] + 1, row[place] + (word === other ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1)
}
