/**
 * Letters of scripts for which there is no voice. eSpeak speaks a word of them in the language of its script, and a letter
 * that this language does not know in English. libespeak-ng 1.51 then reads the language of the word after it has freed it,
 * which sometimes crashes. So letters of scripts that eSpeak does not know completely are not spoken.
 */
const partlyKnownScripts = [
  ...['Armenian', 'Georgian', 'Hangul', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu'],
  ...['Kannada', 'Malayalam', 'Sinhala'],
].map((script) => `\\p{Script=${script}}`)
/** Signs that the Indic scripts share. */
const indic = '\\u{900}-\\u{dff}'
const rareGreek = '\\u{37f}\\u{3cf}-\\u{3ff}'
const partlyKnown = new RegExp(`[${partlyKnownScripts.join('')}${indic}${rareGreek}]`, 'u')

const indicDigit = /(?=[\u{900}-\u{dff}])\p{Nd}/u

/** What is spoken for a character: itself, the digit that an Indic digit stands for, or a space. */
export const knownLetter = (char: string): string => {
  if (!partlyKnown.test(char)) return char
  return indicDigit.test(char) ? String((char.codePointAt(0)! & 0xf) - 6) : ' '
}

const twoScripts = /^(?:\p{Script=Greek}(?=\p{L})\P{Script=Greek}|\p{Script=Latin}(?=\p{L})\P{Script=Latin})/u

/**
 * Whether a letter must start a new word after another one: eSpeak knows a word that begins in Latin or Greek in no other
 * script.
 */
export const beginsWordAfter = (previous: string, char: string): boolean => twoScripts.test(previous + char)

const nonLatinLetter = '[^\\P{L}\\p{Script=Latin}]'
/**
 * A hyphen, dot or apostrophe before a letter of another script, or an apostrophe after one. libespeak-ng 1.51 crashes at an
 * apostrophe within such a word for the reason above, at a hyphen or apostrophe without a spoken character before it, and at
 * dots between letters that it spells out, also with spaces around them.
 */
const joined = `[-.'’](?=[\\p{M}\\p{Cf}]*${nonLatinLetter})`
const joinedAfter = `(?<=${nonLatinLetter}[\\p{M}\\p{Cf}]*)['’]`
const apart = `(?<=[\\s.])\\.(?=[\\s.]*${nonLatinLetter})`
const join = new RegExp(`${joined}|${joinedAfter}|${apart}`, 'gu')

/**
 * `text` with spaces in place of characters that join letters of other scripts to their neighbors. Its length stays the
 * same.
 */
export const withoutJoins = (text: string): string => text.replace(join, ' ')
