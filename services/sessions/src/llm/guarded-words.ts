/** Splits text into words for comparison: without case, punctuation and white space. */

export interface Word {
  readonly text: string
  /** 1 for a word; less for a character of a script that is written without spaces. */
  readonly weight: number
}

export type Piece =
  | { readonly kind: 'word'; readonly raw: string; readonly word: Word }
  /** A word at the end of the text, which may continue. */
  | { readonly kind: 'unfinished'; readonly raw: string }
  | { readonly kind: 'between'; readonly raw: string }

const spaceless =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
const letter = "[\\p{L}\\p{N}\\p{M}'’]"
const pieces = new RegExp(`([${spaceless}]\\p{M}*)|([${letter}--[${spaceless}]]+)|[^\\p{L}\\p{N}\\p{M}'’]+`, 'gv')
const characterWeight = 0.5

const isPlain = /^[a-z0-9]*$/

export const wordOf = (raw: string, weight = 1): Word => {
  const lower = raw.toLowerCase()
  return { text: isPlain.test(lower) ? lower : raw.normalize('NFKC').toLowerCase().replace(/['’]/g, ''), weight }
}

/** The pieces of a text in order. Their `raw` texts together are the text. */
export const piecesOf = (text: string): readonly Piece[] =>
  [...text.matchAll(pieces)].map((match): Piece => {
    const [raw, character, letters] = match
    if (character !== undefined) return { kind: 'word', raw, word: wordOf(raw, characterWeight) }
    if (letters === undefined) return { kind: 'between', raw }
    if (match.index + raw.length === text.length) return { kind: 'unfinished', raw }
    return { kind: 'word', raw, word: wordOf(raw) }
  })
