import { readModelText } from './model-file.js'

/** Words in lower case, and the phonemes each is spoken with, in the model's own symbols. */
export type Lexicon = ReadonlyMap<string, readonly string[]>

/** Of a word that stands there twice the first counts, as for the model. Throws `ModelFileError`. */
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
