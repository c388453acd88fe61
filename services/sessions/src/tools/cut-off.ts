/** At most `maxCharacters` of the text, followed by a note when there were more. */
export const cutOff = (text: string, maxCharacters: number): string =>
  text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters).toWellFormed()} … (the rest is cut off)`
