import { knowsLanguage } from '@parlance/contracts'
import { StartupError } from '@parlance/runtime'
import { z } from 'zod'
import { commaSeparated } from '../variable-schemas.js'
import { deepgramProvider } from './deepgram-recognizer.js'
import { openaiProvider } from './openai-recognizer.js'
import { pocketsphinxProvider } from './pocketsphinx-recognizer.js'
import type { Recognizer } from './recognizer.js'
import type { OpenedRecognizers, RecognizerContext } from './recognizer-provider.js'
import { sherpaOnnxProvider } from './sherpa-onnx-recognizers.js'

/** The providers, in the order in which `auto` prefers them. */
const providers = {
  'sherpa-onnx': sherpaOnnxProvider,
  deepgram: deepgramProvider,
  openai: openaiProvider,
  pocketsphinx: pocketsphinxProvider,
} as const
type RecognitionProvider = keyof typeof providers
const providerNames = Object.keys(providers) as RecognitionProvider[]

const providerSchema = z
  .string()
  .transform(commaSeparated)
  .pipe(
    z.union(
      [z.tuple([z.literal('auto')]), z.tuple([z.literal('none')]), z.array(z.enum(providerNames)).min(1)],
      `auto, none, or some of ${providerNames.join(', ')}, by commas`,
    ),
  )

/** The variables that configure speech recognition; spread into the service's `env`. */
export const recognitionVariables = {
  STT_PROVIDER: providerSchema
    .default(['auto'])
    .describe(
      `the recognizers, of which the first that knows a language is used: some of ${providerNames.join(', ')}, separated by commas; or none; or auto, which is all that are configured but pocketsphinx`,
    ),
  ...sherpaOnnxProvider.variables,
  ...deepgramProvider.variables,
  ...openaiProvider.variables,
  ...pocketsphinxProvider.variables,
}

export type RecognitionConfig = z.output<z.ZodObject<typeof recognitionVariables>>

/** All recognizers of this process. */
export interface Recognizers {
  /** The best for the language of a BCP 47 tag; undefined when none knows it. */
  find(language: string): Recognizer | undefined
  /** All of them, the preferred first. */
  list(): readonly Recognizer[]
  close(): Promise<void>
}

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
  return {
    find: (language) =>
      chooseRecognizer(
        groups.map(({ recognizers }) => recognizers),
        language,
      ),
    list: all,
    close: async () => void (await Promise.all(groups.map((group) => group.close()))),
  }
}

/** How well a recognizer's languages match a tag: the whole tag before its first part alone. 0: not at all. */
const matchOf = ({ languages }: Recognizer, tag: string): number => {
  if (!knowsLanguage(languages, tag)) return 0
  return languages?.some((language) => language.toLowerCase() === tag.toLowerCase()) ? 2 : 1
}

/**
 * The best recognizer for a BCP 47 tag; undefined when none knows the language. `groups` are in order of preference: a later
 * group is used only for a language that no earlier one knows. In a group the one with the whole tag goes first, then the
 * one with the higher quality, then the earlier one. A slow one is never chosen.
 */
export const chooseRecognizer = (groups: readonly (readonly Recognizer[])[], tag: string): Recognizer | undefined => {
  for (const group of groups) {
    const [best] = group
      .map((recognizer) => ({ recognizer, match: matchOf(recognizer, tag), quality: recognizer.quality ?? 0 }))
      .filter(({ recognizer, match }) => match > 0 && recognizer.isSlow !== true)
      .sort((a, b) => b.match - a.match || b.quality - a.quality)
    if (best !== undefined) return best.recognizer
  }
  return undefined
}
