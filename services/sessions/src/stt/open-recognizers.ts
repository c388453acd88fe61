import { StartupError } from '@parlance/runtime'
import { chooseRecognizer } from './choose-recognizer.js'
import { providerNames, providers, type RecognitionConfig, type RecognitionProvider } from './recognition-config.js'
import type { Recognizer } from './recognizer.js'
import type { OpenedRecognizers, RecognizerContext } from './recognizer-provider.js'

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

/**
 * Opens the recognizers that the configuration names, in its order, and logs each. A recognizer that cannot be opened is logged
 * as a warning when another can, or when none was named: without a recognizer conversations continue by text. Those of
 * installed models are added and removed with their folders.
 *
 * Rejects when none of the named recognizers can be opened, and with `StartupError` for wrong settings.
 */
export const openRecognizers = async (config: RecognitionConfig, context: RecognizerContext): Promise<Recognizers> => {
  const { logger } = context
  const named = config.STT_PROVIDER
  const isAuto = named[0] === 'auto'
  // pocketsphinx is used only where it is named.
  const chosen = isAuto
    ? providerNames.filter((name) => name !== 'pocketsphinx' && providers[name].missing(config) === undefined)
    : (named.filter((name) => name !== 'none') as RecognitionProvider[])
  if (named[0] === 'none') logger.info({}, 'Speech is not recognized: STT_PROVIDER is none')

  const groups: OpenedRecognizers[] = []
  const all = () => groups.flatMap(({ recognizers }) => recognizers)
  const failures: unknown[] = []
  for (const name of chosen) {
    // A recognizer that takes any language is used for all, so that later ones would never be used.
    if (all().some(({ languages }) => languages === undefined)) break
    const missing = providers[name].missing(config)
    if (missing !== undefined) throw new StartupError([`STT_PROVIDER names ${name}, but ${missing} is not set.`])
    try {
      groups.push(await providers[name].open(config, context))
    } catch (error) {
      if (error instanceof StartupError) throw error
      failures.push(error)
      logger.warn({ engine: name, err: error }, 'A speech recognizer could not be opened')
    }
  }
  if (all().length === 0 && named[0] !== 'none') {
    if (failures.length > 0 && !isAuto && groups.length === 0) throw failures[0]
    logger.warn({}, 'Speech is not recognized: there is no recognizer. Conversations continue by text')
  }
  const { find, list } = createRecognizers(groups.map(({ recognizers }) => recognizers))
  return {
    find,
    list,
    close: async () => void (await Promise.all(groups.map((group) => group.close()))),
  }
}
