import type { Voice } from './voice-queries.js'

const namesIn = (style: 'long' | 'short') => {
  const names = new Intl.DisplayNames('en', { type: 'language', style, fallback: 'code' })
  return (tag: string): string => {
    try {
      return names.of(tag) ?? tag
    } catch {
      return tag
    }
  }
}

/** Such as "British English" for `en-GB`. A tag that is not known is shown as it is. */
export const languageName = namesIn('long')

/** Such as "UK English" for `en-GB`. */
export const shortLanguageName = namesIn('short')

/** `en-GB` → `en`. */
export const baseLanguage = (tag: string): string => tag.split('-')[0]!.toLowerCase()

/** The languages that the voices speak, by name. */
export const languagesOf = (voices: readonly Voice[]): readonly { value: string; label: string }[] =>
  [...new Set(voices.flatMap(({ languages }) => languages.map(baseLanguage)))]
    .map((value) => ({ value, label: languageName(value) }))
    .sort((a, b) => a.label.localeCompare(b.label))

/** The voices that speak a language, and whose name or description has the text. */
export const matchingVoices = (voices: readonly Voice[], language: string | null, text: string): readonly Voice[] => {
  const wanted = text.trim().toLowerCase()
  return voices.filter(
    ({ languages, display_name, description, tags }) =>
      (language === null || languages.some((tag) => baseLanguage(tag) === language)) &&
      [display_name, description, ...tags].some((part) => part.toLowerCase().includes(wanted)),
  )
}
