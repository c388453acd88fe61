/** The relative duration of a word. Only the proportions matter; an ordinary consonant is 0.8. */

const vowel = /[aeiouyæɑɐɒɔəɚɛɜɝɘɞɤɨɪɯøœɵʉʊʌʏɶ]/u
const longVowel = /ː|[aeɔoə][ɪʊi]/u
const fricative = /^[szfvθðʃʒxçhʂʐɕʑɣχ]/u

const symbolWeight = (symbol: string): number => {
  const sound = symbol.normalize('NFD').toLowerCase()
  if (!/[\p{Ll}\p{Lo}]/u.test(sound)) return 0
  if (vowel.test(sound)) return longVowel.test(sound) ? 1.7 : 1.3
  return fricative.test(sound) ? 1.1 : 0.8
}

/** From phonemes in IPA or in ARPAbet; marks of stress, tone and pauses have no duration. */
export const phonemeWeight = (phonemes: readonly string[]): number =>
  phonemes.reduce((sum, phoneme) => sum + symbolWeight(phoneme), 0)

const letters: readonly (readonly [RegExp, number])[] = [
  // A character that is a syllable, and a digit that is a word.
  [/[\p{Script=Han}\p{Script=Hangul}\p{N}]/u, 2.4],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 1.7],
  [/\p{L}/u, 1],
]

/** From the spelling, when the pronunciation is unknown. */
export const letterWeight = (word: string): number => {
  let weight = 0
  for (const character of word) weight += letters.find(([kind]) => kind.test(character))?.[1] ?? 0
  return Math.max(weight, 1)
}
