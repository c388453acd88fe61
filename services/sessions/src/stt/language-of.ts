/** The language of a BCP 47 tag, two or three letters in lower case; undefined when the tag names no language. */
export const languageOf = (tag: string): string | undefined => /^[a-z]{2,3}(?=-|$)/.exec(tag.toLowerCase())?.[0]
