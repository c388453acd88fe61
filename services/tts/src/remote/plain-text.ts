/** The beginnings of tags, pauses and pronunciations that some models take out of the middle of a text. */
const tagStart = /<(?=[/!?]?\p{L})/gu
const bracketed = /\[([^[\]]{0,200})\]/gu

/**
 * A text as it is sent to a server that may take parts of it for markup and has no switch against it. Nothing is longer or
 * shorter than it was, so that what is told of a place in it holds for the original.
 */
export const plainText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .replace(tagStart, ' ')
    .replace(bracketed, '($1)')
