/** The two or three letters of a tag's language, in lower case; undefined where it names none. */
export const languageOf = (tag: string): string | undefined => /^[a-z]{2,3}(?=-|$)/.exec(tag.toLowerCase())?.[0]
