import type { VisemeId } from '@parlance/contracts'

/**
 * Converts phonemes in IPA to the fifteen mouth shapes.
 *
 * A phoneme is read letter by letter. Every letter has one shape. Marks of stress, length and tone and unknown characters have
 * none. Equal neighbors are merged, and the first two shapes are kept: both parts of a diphthong, but not the third part of a
 * triphthong, which is too short.
 */

/** Letters by shape: first those of the lips, which are most visible, then those of the tip of the tongue, then the rest. */
const lettersByShape: Record<Exclude<VisemeId, 'sil'>, string> = {
  PP: 'p b m β ʙ ɓ',
  FF: 'f v ɸ ʋ ɱ ⱱ',
  TH: 'θ ð',
  DD: 't d ʈ ɖ ɗ ɾ ɽ',
  kk: 'k g ɡ ɠ c ɟ q ɢ ŋ ɴ x ɣ χ ʁ ʀ ç ʝ ɰ h ɦ ħ ʕ ʔ',
  CH: 'ʃ ʒ ɕ ʑ ʂ ʐ ɧ ʧ ʤ ʨ ʥ',
  SS: 's z ʦ ʣ',
  nn: 'n ɲ ɳ l ɫ ɭ ʎ ʟ ɬ ɮ ɺ',
  RR: 'r ɹ ɻ',
  aa: 'a ɑ ɐ ʌ æ ɶ',
  E: 'e ɛ ə ɘ ɜ ɞ ɤ',
  I: 'i ɪ ɨ ɯ j ᵻ',
  O: 'o ɔ ɒ ɵ ø œ',
  U: 'u ʊ ʉ y ʏ w ɥ ʍ ᵿ',
}

const shapeOfLetter = new Map<string, readonly VisemeId[]>([
  ...Object.entries(lettersByShape).flatMap(([shape, letters]) =>
    letters.split(' ').map((letter) => [letter, [shape as VisemeId]] as const),
  ),
  // The r-colored vowels of American English are a vowel followed by an r.
  ['ɚ', ['E', 'RR']],
  ['ɝ', ['E', 'RR']],
])

/** Replaces spellings of eSpeak NG that are not IPA. */
const spellings: readonly (readonly [RegExp, string])[] = [
  // A dot after a letter stands for retroflex: Mandarin "ts.", "s."; Hindi "r.".
  [/s\./gu, 'ʂ'],
  [/z\./gu, 'ʐ'],
  [/r\./gu, 'ɽ'],
  // Mandarin writes aspiration as a plain h: "ph", "tsh".
  [/(?<=[ptksʂɕ])h/gu, ''],
  // Mandarin's third tone is written as a letter that looks like a 3 ("iouɜ"), and its glide as a mark without a letter.
  [/(?<=[^ˈˌ])ɜ$/gu, ''],
  [/^ʲ$/gu, 'j'],
  [/nɡ/gu, 'ŋ'],
  // The small β marks the compressed lips of the Japanese u.
  [/ɯᵝ/gu, 'u'],
]

/** The one or two mouth shapes of a phoneme. Silence (an empty string, or marks alone) is `sil`. */
export const visemesOfPhoneme = (ipa: string): VisemeId[] => {
  let spelled = ipa.normalize('NFC')
  for (const [pattern, replacement] of spellings) spelled = spelled.replace(pattern, replacement)

  const shapes: VisemeId[] = []
  for (const letter of spelled) {
    for (const shape of shapesOf(letter)) {
      // The stop of an affricate is too short for a shape of its own: "ts" is an s, "tʃ" a ʃ.
      if (shapes.at(-1) === 'DD' && (shape === 'SS' || shape === 'CH')) shapes.pop()
      if (shapes.at(-1) !== shape) shapes.push(shape)
    }
  }
  return shapes.length === 0 ? ['sil'] : shapes.slice(0, 2)
}

/** The shapes of a letter. A letter with a diacritic ("ũ", "ä") has the shape of the plain one; "ç" is in the table. */
const shapesOf = (letter: string): readonly VisemeId[] =>
  shapeOfLetter.get(letter) ?? shapeOfLetter.get(letter.normalize('NFD').charAt(0)) ?? []
