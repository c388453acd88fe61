import { distance } from 'fastest-levenshtein'

/** Words in small letters, without punctuation. */
export const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll("'", '')
    .match(/\p{L}+/gu) ?? []

/** How many words must be inserted, deleted or replaced to make one text of the other. */
export const wordErrors = (spoken: string, recognized: string): number => {
  const letters = new Map<string, string>()
  /** Each word as one letter: the distance of texts is that of their words then. */
  const lettersOf = (text: string) =>
    wordsOf(text)
      .map((word) => {
        const letter = letters.get(word) ?? String.fromCharCode(letters.size)
        letters.set(word, letter)
        return letter
      })
      .join('')
  return distance(lettersOf(spoken), lettersOf(recognized))
}
