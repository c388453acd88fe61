/** The text as far as it may be long, and that there was more. */
export const cutOff = (text: string, maxCharacters: number): string =>
  text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters).toWellFormed()} … (the rest is cut off)`
