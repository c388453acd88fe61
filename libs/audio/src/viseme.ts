import type { VisemeId } from '@parlance/contracts'

/**
 * From phonemes, written in IPA, to the fifteen mouth shapes.
 *
 * A phoneme is read letter by letter. Every letter has one shape; stress, length, tone and the other marks have none
 * and are passed over, as is every unknown character. Equal neighbours become one, and the first two shapes are kept:
 * the glide of a diphthong, but only the nucleus and one glide of a triphthong, which is over too soon for a third.
 */

/** Letters by the shape they make. Lips first: they are what is seen; then the tongue's tip; then the rest. */
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
  // The r-coloured vowels of American English are a vowel that ends as an r.
  ['ɚ', ['E', 'RR']],
  ['ɝ', ['E', 'RR']],
])

/** What eSpeak NG writes in its own way, in IPA. */
const spellings: readonly (readonly [RegExp, string])[] = [
  // A dot after a letter stands for retroflex: Mandarin "ts.", "s."; Hindi "r.".
  [/s\./gu, 'ʂ'],
  [/z\./gu, 'ʐ'],
  [/r\./gu, 'ɽ'],
  // Mandarin writes aspiration as a plain h: "ph", "tsh".
  [/(?<=[ptksʂɕ])h/gu, ''],
  // Mandarin's third tone comes out as the letter that looks like a 3: "iouɜ"; its glide as a mark on nothing.
  [/(?<=[^ˈˌ])ɜ$/gu, ''],
  [/^ʲ$/gu, 'j'],
  [/nɡ/gu, 'ŋ'],
  // The Japanese u draws the lips together: the small β says so.
  [/ɯᵝ/gu, 'u'],
]

/** The mouth shapes of one phoneme, one or two; silence (an empty string, or marks alone) is `sil`. */
export const visemesOfPhoneme = (ipa: string): VisemeId[] => {
  let spelled = ipa.normalize('NFC')
  for (const [pattern, replacement] of spellings) spelled = spelled.replace(pattern, replacement)

  const shapes: VisemeId[] = []
  for (const letter of spelled) {
    for (const shape of shapesOf(letter)) {
      // The stop of an affricate is only where its friction begins: "ts" is an s, "tʃ" a ʃ.
      if (shapes.at(-1) === 'DD' && (shape === 'SS' || shape === 'CH')) shapes.pop()
      if (shapes.at(-1) !== shape) shapes.push(shape)
    }
  }
  return shapes.length === 0 ? ['sil'] : shapes.slice(0, 2)
}

/** A letter with a diacritic of its own ("ũ", "ä") makes the shape of the plain one; "ç" is a letter by itself. */
const shapesOf = (letter: string): readonly VisemeId[] =>
  shapeOfLetter.get(letter) ?? shapeOfLetter.get(letter.normalize('NFD').charAt(0)) ?? []
