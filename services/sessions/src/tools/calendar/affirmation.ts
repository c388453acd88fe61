import { type AffirmationWords, affirmationWords } from './affirmation-words.js'

/** Who says more than that says more than yes. */
const mostWords = 12
const mostCharacters = 24

/** Languages whose words stand side by side without a space. */
const unspaced = new Set(['zh', 'ja'])

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[‘’]/g, "'")

const wordsOf = (text: string): string[] => plain(text).match(/[\p{L}\p{N}']+/gu) ?? []

/** With a space around each word, so that phrases are found as whole words. */
const spaced = (text: string): string => ` ${wordsOf(text).join(' ')} `
/** Without any, but around words in Latin letters: "OK" is a word there as well, and no part of "Tokyo". */
const joined = (text: string): string =>
  wordsOf(text)
    .join('')
    .replace(/[a-z']+/g, ' $& ')

type Form = (text: string) => string

const has = (text: string, phrases: readonly string[], form: Form): boolean =>
  phrases.some((phrase) => text.includes(form(phrase)))

const without = (text: string, phrases: readonly string[], form: Form): string =>
  phrases.reduce((rest, phrase) => rest.replaceAll(form(phrase), ' '), text)

/** English ones such as "isn't", French ones such as "n'est". */
const isNegation = (word: string): boolean => /n't$|^n'/.test(word)

/** In a language whose refusals we do not know, nothing may be there that is not a yes we know. */
const isNothingButYes = (text: string): boolean => {
  const yes = new Set(Object.values(affirmationWords).flatMap((words) => words.yes.map((word) => spaced(word).trim())))
  const words = wordsOf(text)
  return words.length > 0 && words.every((word) => yes.has(word))
}

const affirms = (
  text: string,
  { yes, no, idioms, cancel, times }: AffirmationWords,
  form: Form,
  { cancelling }: { cancelling: boolean },
): boolean => {
  const said = form(text)
  const rest = without(said, idioms, form)
  if (has(rest, no, form) || has(rest, times, form)) return false
  if (!cancelling && has(rest, cancel, form)) return false
  return rest !== said || has(rest, yes, form)
}

/**
 * Whether these words, an answer to "shall I?", say yes and nothing else. Where it is in doubt they do not: then one asks again.
 * `language` is a tag such as `de-AT`. `cancelling`: what was asked is whether to cancel, so "yes, cancel it" is a yes.
 */
export const isAffirmation = (text: string, language: string, { cancelling = false } = {}): boolean => {
  if (/[?？\p{N}]/u.test(text)) return false
  const base = language.toLowerCase().split(/[-_]/)[0] ?? ''
  const words = Object.hasOwn(affirmationWords, base) ? affirmationWords[base] : undefined
  if (words === undefined) return isNothingButYes(text)
  if (unspaced.has(base)) return joined(text).length <= mostCharacters && affirms(text, words, joined, { cancelling })
  const said = wordsOf(text)
  if (said.length > mostWords || said.some(isNegation)) return false
  return affirms(text, words, spaced, { cancelling })
}
