/** What is said in a language; by the primary subtag of its tag. */
export type Phrases = Readonly<Record<string, string>>

/** `language` is a BCP 47 tag; null is taken for English. Undefined for a language that has none. */
export const phraseIn = (phrases: Phrases, language: string | null): string | undefined =>
  phrases[(language ?? 'en').split('-', 1)[0]!.toLowerCase()]
