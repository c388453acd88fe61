import { type AffirmationWords, affirmationWords } from './affirmation-words.js'

/** Longer answers contain more than a yes. */
const maxWords = 12
const maxCharacters = 24

/** Languages that are written without spaces between words. */
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
/** Without spaces except around words in Latin letters, so that "OK" is not found in "Tokyo". */
const joined = (text: string): string =>
  wordsOf(text)
    .join('')
    .replace(/[a-z']+/g, ' $& ')

type Form = (text: string) => string

const has = (text: string, phrases: readonly string[], form: Form): boolean =>
  phrases.some((phrase) => text.includes(form(phrase)))

const without = (text: string, phrases: readonly string[], form: Form): string =>
  phrases.reduce((rest, phrase) => rest.replaceAll(form(phrase), ' '), text)

/** English negations such as "isn't", French ones such as "n'est". */
const isNegation = (word: string): boolean => /n't$|^n'/.test(word)

/** For languages without a list of refusals: all words must be known as a yes. */
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
  const words = form(text)
  const rest = without(words, idioms, form)
  if (has(rest, no, form) || has(rest, times, form)) return false
  if (!cancelling && has(rest, cancel, form)) return false
  return rest !== words || has(rest, yes, form)
}

/**
 * Whether an answer to "shall I?" says yes and nothing else. A doubtful answer is not a yes: the Agent asks again. `language`
 * is a tag such as `de-AT`. `cancelling`: the question was whether to cancel, so that "yes, cancel it" is a yes.
 */
export const isAffirmation = (text: string, language: string, { cancelling = false } = {}): boolean => {
  if (/[?？\p{N}]/u.test(text)) return false
  const base = language.toLowerCase().split(/[-_]/)[0] ?? ''
  const words = Object.hasOwn(affirmationWords, base) ? affirmationWords[base] : undefined
  if (words === undefined) return isNothingButYes(text)
  if (unspaced.has(base)) return joined(text).length <= maxCharacters && affirms(text, words, joined, { cancelling })
  const answer = wordsOf(text)
  if (answer.length > maxWords || answer.some(isNegation)) return false
  return affirms(text, words, spaced, { cancelling })
}
