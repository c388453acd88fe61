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
