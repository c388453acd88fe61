import type { Recognizer } from './recognizer.js'

/** All recognizers of this process. */
export interface Recognizers {
  /** The first that recognises the language of a BCP 47 tag; undefined when none does. */
  find(language: string): Recognizer | undefined
  close(): Promise<void>
}

const recognizes = ({ languages }: Recognizer, tag: string): boolean => {
  const [wanted] = tag.toLowerCase().split('-')
  return languages === undefined || languages.some((language) => language.toLowerCase().split('-')[0] === wanted)
}

/** `find` prefers earlier recognizers. */
export const createRecognizers = (recognizers: readonly Recognizer[]): Recognizers => ({
  find: (language) => recognizers.find((recognizer) => recognizes(recognizer, language)),
  close: async () => void (await Promise.all(recognizers.map((recognizer) => recognizer.close()))),
})
