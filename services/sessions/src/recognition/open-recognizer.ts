import { type ReadSecret, readKeySetting } from '@parlance/runtime'
import type { Logger } from '@parlance/telemetry'
import { createOpenaiRecognizer } from './openai-recognizer.js'
import { openPocketsphinxRecognizer } from './pocketsphinx-recognizer.js'
import type { RecognitionConfig } from './recognition-config.js'
import type { Recognizer } from './recognizer.js'

export interface RecognizerContext {
  readonly logger: Logger
  readonly readSecret: ReadSecret
}

const openOpenai = (config: RecognitionConfig, { logger, readSecret }: RecognizerContext): Recognizer => {
  const { STT_OPENAI_URL: baseUrl, STT_OPENAI_MODEL: model } = config
  if (baseUrl === undefined) throw new Error('STT_PROVIDER is openai, but STT_OPENAI_URL is not set')
  const apiKey = readKeySetting(config, 'STT_OPENAI_API_KEY', readSecret)
  const recognizer = createOpenaiRecognizer({ logger, baseUrl, model, apiKey })
  logger.info(
    { engine: recognizer.name, host: new URL(baseUrl).host },
    'Speech is recognised by a server with the interface of OpenAI',
  )
  return recognizer
}

const openPocketsphinx = async (config: RecognitionConfig, { logger }: RecognizerContext): Promise<Recognizer> => {
  const recognizer = await openPocketsphinxRecognizer({ logger, processes: config.STT_POCKETSPHINX_PROCESSES })
  logger.info({ engine: recognizer.name }, 'Speech is recognised here')
  return recognizer
}

/**
 * The recognizer that the configuration names; undefined where there is none, and conversations go on by text. Rejects when
 * one is named that cannot be had. Says in one line of the log what it chose.
 */
export const openRecognizer = async (
  config: RecognitionConfig,
  context: RecognizerContext,
): Promise<Recognizer | undefined> => {
  const { STT_PROVIDER: provider, STT_OPENAI_URL: url } = config
  if (provider === 'openai' || (provider === 'auto' && url !== undefined)) return openOpenai(config, context)
  if (provider === 'pocketsphinx') return openPocketsphinx(config, context)
  if (provider === 'none') {
    context.logger.info({}, 'Speech is not recognised: STT_PROVIDER is none')
    return undefined
  }
  try {
    return await openPocketsphinx(config, context)
  } catch (error) {
    context.logger.warn({ err: error }, 'Speech is not recognised: there is nothing at hand to do it')
    return undefined
  }
}
