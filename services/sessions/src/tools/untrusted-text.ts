/** Controls but for line ends and tabs, marks of direction, tags, selectors of variants, and what is for private use. */
const unseen = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}]|\p{Variation_Selector}/gu

/**
 * What others wrote, of at most so many characters: without what a reader would not see, in which orders to a model like to
 * hide.
 */
export const untrustedText = (text: string, maxCharacters: number): string => {
  const seen = text.toWellFormed().replace(unseen, '').trim()
  if (seen.length <= maxCharacters) return seen
  // What is left behind may be half of a character.
  return `${seen
    .slice(0, maxCharacters - 1)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`
}
