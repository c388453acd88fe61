import { readModelText } from './model-file.js'

/** The phonemes, in the model's symbols, of words in lower case. */
export type Lexicon = ReadonlyMap<string, readonly string[]>

/** Reads lexicons. The first entry of a word counts, as for the model. Rejects with a `ModelFileError`. */
export const readLexicon = async (paths: readonly string[]): Promise<Lexicon> => {
  const lexicon = new Map<string, readonly string[]>()
  for (const path of paths) {
    for (const line of (await readModelText(path)).split('\n')) {
      const [word, ...phonemes] = line.trim().split(/\s+/u)
      const key = word!.toLowerCase()
      if (phonemes.length > 0 && !lexicon.has(key)) lexicon.set(key, phonemes)
    }
  }
  return lexicon
}
