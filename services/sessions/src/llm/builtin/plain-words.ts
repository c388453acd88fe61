const shortForms: readonly (readonly [RegExp, string])[] = [
  [/\b(what|who|where|how|when|that|it|he|she|there)'s\b/g, '$1 is'],
  [/\bi'm\b/g, 'i am'],
  [/\b(you|we|they)'re\b/g, '$1 are'],
  [/\bcan't\b/g, 'cannot'],
  [/n't\b/g, ' not'],
  [/\b(i|you|we|they)'ve\b/g, '$1 have'],
]

/** Enough for anything a rule looks at. */
const maxCharacters = 500

/**
 * What was said as a recognizer would have it: lower case, no marks but those of sums and of decimals, no short forms. Typed
 * and spoken words then meet the same rules.
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
