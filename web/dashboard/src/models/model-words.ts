import { baseLanguage, languageName } from '../shared/languages.js'
import { formatBytes } from '../shared/quantities.js'
import type { InstallableModel } from './model-queries.js'

export const kindNames: Readonly<Record<InstallableModel['kind'], string>> = {
  tts: 'Voice',
  stt: 'Recognizer',
  turn: 'End of turn',
}

const maxNamed = 3

/** Such as "German" or "12 languages". */
export const languagesOf = (tags: readonly string[]): string => {
  if (tags.length === 0) return 'Any language'
  return tags.length > maxNamed ? `${tags.length} languages` : tags.map(languageName).join(', ')
}

/** With a space at which a line is not broken. */
export const sizeOf = (bytes: number | null): string =>
  bytes === null ? 'Unknown size' : formatBytes(bytes).replace(' ', '\u00a0')

/** With one digit, so that it stays as wide while it grows. */
export const megabytes = (bytes: number | null): string =>
  bytes === null ? 'unknown size' : `${(bytes / 1e6).toFixed(1)} MB`

/** Those that are recommended first, then those for languages of the person, and then the others by language. */
export const orderedModels = (
  models: readonly InstallableModel[],
  recommended: ReadonlySet<string>,
  ownLanguages: readonly string[],
): InstallableModel[] => {
  const own = ownLanguages.map(baseLanguage)
  const rankOf = ({ name, languages }: InstallableModel): number => {
    if (recommended.has(name)) return 0
    return languages.some((tag) => own.includes(baseLanguage(tag))) ? 1 : 2
  }
  return models.toSorted(
    (a, b) => rankOf(a) - rankOf(b) || languagesOf(a.languages).localeCompare(languagesOf(b.languages)),
  )
}

interface ModelFilter {
  /** A part of a name or of a language. */
  readonly text: string
  /** Null for all. */
  readonly kind: string | null
}

/** The models of the catalog that a person looks for. */
export const findModels = (models: readonly InstallableModel[], { text, kind }: ModelFilter): InstallableModel[] => {
  const words = text.toLowerCase().split(/\s+/)
  return models.filter((model) => {
    const { name, display_name, languages } = model
    const searched = [name, display_name, ...languages, ...languages.map(languageName)].join(' ').toLowerCase()
    return (kind === null || model.kind === kind) && words.every((word) => searched.includes(word))
  })
}
