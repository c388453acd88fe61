/** The beginnings of tags, pauses and pronunciations that some models interpret in a text. */
const tagStart = /<(?=[/!?]?\p{L})/gu
const bracketed = /\[([^[\]]{0,200})\]/gu

/**
 * Returns a text for a server that may interpret parts of it as markup and has no option against it. Its length is that of the
 * original, so that offsets are valid in both.
 */
export const plainText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .replace(tagStart, ' ')
    .replace(bracketed, '($1)')
