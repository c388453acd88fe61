/** One phrase in several languages, by the primary subtag of the language. */
export type Phrases = Readonly<Record<string, string>>

/** The phrase in a language. `language` is a BCP 47 tag; null is English. Undefined for a language without the phrase. */
export const phraseIn = (phrases: Phrases, language: string | null): string | undefined =>
  phrases[(language ?? 'en').split('-', 1)[0]!.toLowerCase()]
