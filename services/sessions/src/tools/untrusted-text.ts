/** Control characters except line ends and tabs, direction marks, tags, variation selectors and private use characters. */
const invisible = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}]|\p{Variation_Selector}/gu

/**
 * Text from outside, at most `maxCharacters` long, without the characters that a reader would not see: attacks hide
 * instructions to models in them.
 */
export const untrustedText = (text: string, maxCharacters: number): string => {
  const visible = text.toWellFormed().replace(invisible, '').trim()
  if (visible.length <= maxCharacters) return visible
  // The cut may have left half of a surrogate pair.
  return `${visible
    .slice(0, maxCharacters - 1)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`
}
