import type { Recognizer } from './recognizer.js'

/** Those that are at hand. */
export interface Recognizers {
  /** For a BCP 47 tag: the first that understands it; undefined where none does. */
  find(language: string): Recognizer | undefined
  close(): Promise<void>
}

const understands = ({ languages }: Recognizer, tag: string): boolean => {
  const [wanted] = tag.toLowerCase().split('-')
  return languages === undefined || languages.some((language) => language.toLowerCase().split('-')[0] === wanted)
}

/** In the order in which they are asked. */
export const createRecognizers = (recognizers: readonly Recognizer[]): Recognizers => ({
  find: (language) => recognizers.find((recognizer) => understands(recognizer, language)),
  close: async () => void (await Promise.all(recognizers.map((recognizer) => recognizer.close()))),
})
