/**
 * Returns the white space at the start of `text` when it contains a blank line; otherwise an empty string. It belongs to the
 * paragraph before: an engine makes the pause of a paragraph only where its text ends with the blank line.
 */
export const leadingBlankLine = (text: string): string => {
  const space = /^\s*/.exec(text)![0]
  return space.length < text.length && /(?:\r\n|[\n\r\u2028\u2029])[^\S\n\r]*[\n\r\u2028\u2029]/.test(space)
    ? space
    : ''
}
