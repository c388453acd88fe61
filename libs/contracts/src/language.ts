import { z } from 'zod'

/** A BCP 47 language tag, by its shape: `en`, `en-GB`, `zh-Hans-CN`. */
export const languageTagSchema = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, { error: 'must be a BCP 47 language tag such as "en" or "en-GB"' })

/** Basic filtering of RFC 4647: `en` matches `en` and `en-GB`, and `en-GB` does not match `en`. In any case. */
export const matchesLanguage = (tag: string, range: string): boolean => {
  const [low, wanted] = [tag.toLowerCase(), range.toLowerCase()]
  return low === wanted || low.startsWith(`${wanted}-`)
}

/** The primary subtag, such as `en` of `en-GB`. */
export const primaryLanguage = (tag: string): string => tag.split('-', 1)[0]!

/**
 * Whether `languages` contains the language of the tag, in any region: `['en-US']` contains that of `en-GB`. Undefined
 * stands for every language.
 */
export const knowsLanguage = (languages: readonly string[] | undefined, tag: string): boolean =>
  languages === undefined || languages.some((language) => matchesLanguage(language, primaryLanguage(tag)))

/**
 * The tag, of those that a voice speaks, for a wanted language: the first for null. `en` is any English, `en-GB` only that.
 * Undefined where the voice does not speak it.
 */
export const spokenLanguage = (languages: readonly string[], wanted: string | null): string | undefined => {
  if (wanted === null) return languages[0]
  const exact = languages.find((tag) => tag.toLowerCase() === wanted.toLowerCase())
  return exact ?? languages.find((tag) => matchesLanguage(tag, wanted))
}

/** Languages that are written without spaces between sentences. */
const writtenWithoutSpaces: ReadonlySet<string> = new Set(['ja', 'th', 'yue', 'zh'])

/** The separator between two parts of a text in a language: a space, or nothing. */
export const wordSeparator = (tag: string): string =>
  writtenWithoutSpaces.has(primaryLanguage(tag).toLowerCase()) ? '' : ' '
