const shortForms: readonly (readonly [RegExp, string])[] = [
  [/\b(what|who|where|how|when|that|it|he|she|there)'s\b/g, '$1 is'],
  [/\bi'm\b/g, 'i am'],
  [/\b(you|we|they)'re\b/g, '$1 are'],
  [/\bcan't\b/g, 'cannot'],
  [/n't\b/g, ' not'],
  [/\b(i|you|we|they)'ve\b/g, '$1 have'],
]

/** More than any rule matches. */
const maxCharacters = 500

/**
 * Text in the form of a speech recognizer: lower case, no punctuation except in sums and decimals, no short forms. Typed and
 * spoken words then match the same rules.
 */
export const plainWords = (text: string): string => {
  let plain = text.slice(0, maxCharacters).toLowerCase().replace(/[’‘]/g, "'")
  for (const [form, full] of shortForms) plain = plain.replace(form, full)
  return plain
    .replace(/(\d),(?=\d{3}\b)/g, '$1')
    .replace(/(?<!\d)\.|\.(?!\d)/g, ' ')
    .replace(/[^\p{L}\p{M}\d.'+*/×÷-]+/gu, ' ')
    .trim()
}
