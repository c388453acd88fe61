/** Letters and digits as they are heard: without case, accents and what stands between them. */
const heardWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** Whether these words name an event of that title: half of its words are among them, in whichever order. */
export const isNamed = (title: string, words: string): boolean => {
  const heard = heardWords(words)
  // Without spaces a title is found within what is said around it.
  const all = heard.join('')
  const named = heardWords(title)
  const found = named.filter(
    (word) => heard.includes(word) || (/[^\p{Script=Latin}\p{N}]/u.test(word) && all.includes(word)),
  )
  return found.length * 2 >= named.length
}
