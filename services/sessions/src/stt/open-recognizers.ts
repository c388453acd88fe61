import { type ReadSecret, readKeySetting, StartupError } from '@parlance/runtime'
import type { Logger } from '@parlance/telemetry'
import { createDeepgramRecognizer } from './deepgram-recognizer.js'
import { createOpenaiRecognizer } from './openai-recognizer.js'
import { openPocketsphinxRecognizer } from './pocketsphinx-recognizer.js'
import type { RecognitionConfig, RecognitionProvider } from './recognition-config.js'
import type { Recognizer } from './recognizer.js'
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
    'Speech is recognised by Deepgram',
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
    'Speech is recognised by a server with the interface of OpenAI',
  )
  return [recognizer]
}

const saysSo = (logger: Logger, recognizers: Recognizer[]): Recognizer[] => {
  for (const { name, languages } of recognizers)
    logger.info({ engine: name, language: languages?.join(', ') }, 'Speech is recognised here')
  return recognizers
}

const openSherpaOnnx: Open = async (config, { logger }) => {
  const { STT_SHERPA_MODELS_DIR: modelsDir, STT_SHERPA_THREADS: threads, STT_SHERPA_PROCESSES: processes } = config
  if (modelsDir === undefined) throw notSet('sherpa-onnx', 'STT_SHERPA_MODELS_DIR')
  return saysSo(logger, await openSherpaOnnxRecognizers({ logger, modelsDir, threads, processes }))
}

const openPocketsphinx: Open = async (config, { logger }) =>
  saysSo(logger, [await openPocketsphinxRecognizer({ logger, processes: config.STT_POCKETSPHINX_PROCESSES })])

const openers: Readonly<Record<RecognitionProvider, Open>> = {
  'sherpa-onnx': openSherpaOnnx,
  deepgram: openDeepgram,
  openai: openOpenai,
  pocketsphinx: openPocketsphinx,
}

/** What has been set up, this machine's own before servers; and what needs no setting, should it be there. */
const atHand = (config: RecognitionConfig): RecognitionProvider[] => [
  ...(config.STT_SHERPA_MODELS_DIR === undefined ? [] : (['sherpa-onnx'] as const)),
  ...((config.STT_DEEPGRAM_API_KEY ?? config.STT_DEEPGRAM_API_KEY_FILE) ? (['deepgram'] as const) : []),
  ...(config.STT_OPENAI_URL === undefined ? [] : (['openai'] as const)),
  'pocketsphinx',
]

/**
 * The recognizers that the configuration names, in its order; none where there is none, and conversations go on by text. One
 * that cannot be had is a warning where there is another, or where none was named. Rejects where none of those that are named
 * can be had, and with `StartupError` for settings that are wrong. Says in a line of the log each what it chose.
 */
export const openRecognizers = async (config: RecognitionConfig, context: RecognizerContext): Promise<Recognizers> => {
  const { logger } = context
  const named = config.STT_PROVIDER
  const isAuto = named[0] === 'auto'
  const providers = isAuto ? atHand(config) : (named.filter((name) => name !== 'none') as RecognitionProvider[])
  if (providers.length === 0) logger.info({}, 'Speech is not recognised: STT_PROVIDER is none')

  const recognizers: Recognizer[] = []
  const failures: unknown[] = []
  for (const provider of providers) {
    // Those that come after one that takes any language would never be asked.
    if (recognizers.some(({ languages }) => languages === undefined)) break
    try {
      recognizers.push(...(await openers[provider](config, context)))
    } catch (error) {
      if (error instanceof StartupError) throw error
      failures.push(error)
      const isExpected = isAuto && provider === 'pocketsphinx' && recognizers.length > 0
      if (!isExpected) logger.warn({ engine: provider, err: error }, 'A speech recogniser cannot be had')
    }
  }
  if (recognizers.length === 0 && failures.length > 0) {
    if (!isAuto) throw failures[0]
    logger.warn({}, 'Speech is not recognised: there is nothing at hand to do it')
  }
  return createRecognizers(recognizers)
}
