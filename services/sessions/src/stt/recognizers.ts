import { chooseRecognizer } from './choose-recognizer.js'
import type { Recognizer } from './recognizer.js'

/** All recognizers of this process. */
export interface Recognizers {
  /** The best for the language of a BCP 47 tag; undefined when none knows it. */
  find(language: string): Recognizer | undefined
  /** All of them, the preferred first. */
  list(): readonly Recognizer[]
  close(): Promise<void>
}

/** `find` chooses from the groups as `chooseRecognizer` describes. The groups may change. */
export const createRecognizers = (groups: readonly (readonly Recognizer[])[]): Recognizers => ({
  find: (language) => chooseRecognizer(groups, language),
  list: () => groups.flat(),
  close: async () => void (await Promise.all(groups.flat().map((recognizer) => recognizer.close()))),
})
