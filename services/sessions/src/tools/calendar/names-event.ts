/** The words of a text as they are spoken: without case, accents and punctuation. */
const spokenWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** Whether a text names the event with this title: it contains half of the words of the title, in any order. */
export const namesEvent = (text: string, title: string): boolean => {
  const words = spokenWords(text)
  // A title without spaces is searched in the whole text.
  const all = words.join('')
  const titleWords = spokenWords(title)
  const found = titleWords.filter(
    (word) => words.includes(word) || (/[^\p{Script=Latin}\p{N}]/u.test(word) && all.includes(word)),
  )
  return found.length * 2 >= titleWords.length
}
