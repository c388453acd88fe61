import type { OpenModels } from '@parlance/models'
import { type ReadSecret, readKeySetting, StartupError } from '@parlance/runtime'
import type { Logger } from '@parlance/telemetry'
import { createDeepgramRecognizer } from './deepgram-recognizer.js'
import { startInstalledRecognizers } from './installed-recognizers.js'
import { createOpenaiRecognizer } from './openai-recognizer.js'
import { openPocketsphinxRecognizer } from './pocketsphinx-recognizer.js'
import type { RecognitionConfig, RecognitionProvider } from './recognition-config.js'
import type { Recognizer } from './recognizer.js'
import { createRecognizerSet } from './recognizer-set.js'
import { createRecognizers, type Recognizers } from './recognizers.js'
import { openSherpaOnnxRecognizers } from './sherpa-onnx-recognizers.js'

export interface RecognizerContext {
  readonly logger: Logger
  readonly readSecret: ReadSecret
}

type Open = (config: RecognitionConfig, context: RecognizerContext) => Recognizer[] | Promise<Recognizer[]>

const notSet = (provider: RecognitionProvider, variable: string) =>
  new StartupError([`STT_PROVIDER names ${provider}, but ${variable} is not set.`])

const openDeepgram: Open = (config, { logger, readSecret }) => {
  const { STT_DEEPGRAM_URL: baseUrl, STT_DEEPGRAM_MODEL: model, STT_DEEPGRAM_LANGUAGES: languages } = config
  const apiKey = readKeySetting(config, 'STT_DEEPGRAM_API_KEY', readSecret)
  if (apiKey === undefined) throw notSet('deepgram', 'STT_DEEPGRAM_API_KEY')
  const recognizer = { ...createDeepgramRecognizer({ logger, baseUrl, model, apiKey }), languages }
  logger.info(
    { engine: recognizer.name, language: languages?.join(', '), host: new URL(baseUrl).host },
    'Speech is recognized by Deepgram',
  )
  return [recognizer]
}

const openOpenai: Open = (config, { logger, readSecret }) => {
  const { STT_OPENAI_URL: baseUrl, STT_OPENAI_MODEL: model, STT_OPENAI_LANGUAGES: languages } = config
  if (baseUrl === undefined) throw notSet('openai', 'STT_OPENAI_URL')
  const apiKey = readKeySetting(config, 'STT_OPENAI_API_KEY', readSecret)
  const recognizer = { ...createOpenaiRecognizer({ logger, baseUrl, model, apiKey }), languages }
  logger.info(
    { engine: recognizer.name, language: languages?.join(', '), host: new URL(baseUrl).host },
    'Speech is recognized by a server with the interface of OpenAI',
  )
  return [recognizer]
}

const logLanguages = (logger: Logger, recognizers: Recognizer[]): Recognizer[] => {
  for (const { name, languages } of recognizers)
    logger.info({ engine: name, language: languages?.join(', ') }, 'Speech is recognized here')
  return recognizers
}

const openSherpaOnnx: Open = async (config, { logger }) => {
  const { STT_SHERPA_MODELS_DIR: modelsDir, STT_SHERPA_THREADS: threads, STT_SHERPA_PROCESSES: maxProcesses } = config
  if (modelsDir === undefined) throw notSet('sherpa-onnx', 'MODELS_DIR or STT_SHERPA_MODELS_DIR')
  return logLanguages(logger, await openSherpaOnnxRecognizers({ logger, modelsDir, threads, maxProcesses }))
}

const openPocketsphinx: Open = async (config, { logger }) =>
  logLanguages(logger, [await openPocketsphinxRecognizer({ logger, maxProcesses: config.STT_POCKETSPHINX_PROCESSES })])

const openers: Readonly<Record<RecognitionProvider, Open>> = {
  'sherpa-onnx': openSherpaOnnx,
  deepgram: openDeepgram,
  openai: openOpenai,
  pocketsphinx: openPocketsphinx,
}

/** The recognizers that have settings, local ones before servers. pocketsphinx is used only where it is named. */
const configured = (config: RecognitionConfig): RecognitionProvider[] => [
  ...((config.STT_SHERPA_MODELS_DIR ?? config.MODELS_DIR) ? (['sherpa-onnx'] as const) : []),
  ...((config.STT_DEEPGRAM_API_KEY ?? config.STT_DEEPGRAM_API_KEY_FILE) ? (['deepgram'] as const) : []),
  ...(config.STT_OPENAI_URL === undefined ? [] : (['openai'] as const)),
]

/** The folder that is watched for models; undefined when the operator has named one that is read only at the start. */
const watchedFolder = ({ STT_SHERPA_MODELS_DIR, MODELS_DIR }: RecognitionConfig): string | undefined =>
  STT_SHERPA_MODELS_DIR === undefined ? MODELS_DIR : undefined

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
  const providers = isAuto ? configured(config) : (named.filter((name) => name !== 'none') as RecognitionProvider[])
  if (named[0] === 'none') logger.info({}, 'Speech is not recognized: STT_PROVIDER is none')

  const modelsDir = watchedFolder(config)
  const installed = createRecognizerSet()
  const openInstalled = async (modelsDir: string): Promise<OpenModels> => {
    const { STT_SHERPA_THREADS: threads, STT_SHERPA_PROCESSES: maxProcesses } = config
    const models = startInstalledRecognizers({ logger, modelsDir, threads, maxProcesses }, installed)
    await models.started
    return models
  }

  const groups: (readonly Recognizer[])[] = []
  const isNone = () => groups.flat().length === 0
  const failures: unknown[] = []
  let models: OpenModels | undefined
  for (const provider of providers) {
    // A recognizer that takes any language is used for all, so that later ones would never be used.
    if (groups.flat().some(({ languages }) => languages === undefined)) break
    try {
      if (provider === 'sherpa-onnx' && modelsDir !== undefined) {
        groups.push(installed.members)
        models = await openInstalled(modelsDir)
      } else groups.push(await openers[provider](config, context))
    } catch (error) {
      if (error instanceof StartupError) throw error
      failures.push(error)
      logger.warn({ engine: provider, err: error }, 'A speech recognizer could not be opened')
    }
  }
  if (isNone() && named[0] !== 'none') {
    if (failures.length > 0 && !isAuto && models === undefined) throw failures[0]
    logger.warn({}, 'Speech is not recognized: there is no recognizer. Conversations continue by text')
  }
  const { find, list, close } = createRecognizers(groups)
  return {
    find,
    list,
    close: async () => void (await Promise.all([models?.stop(), installed.close(), close()])),
  }
}
