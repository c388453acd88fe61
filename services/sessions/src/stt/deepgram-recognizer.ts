/**
 * Deepgram's streaming API. Each utterance is recognized while it is spoken, over a socket of its own. Models named `flux-…` report
 * when the user has finished.
 *
 * - The audio is kept until the socket is open. Connecting delays nothing, since it takes less time than an utterance.
 *   Between utterances there is no socket to keep alive and no cost.
 * - Audio goes to the configured server only: redirects are not followed.
 * - A connection is tried at most twice, the second time only after a network error or a status of 500 or more.
 */
import { retry } from '@parlance/async'
import { draining, wordSeparator } from '@parlance/contracts'
import { readKeySetting } from '@parlance/runtime'
import type { Logger } from '@parlance/telemetry'
import { z } from 'zod'
import { baseUrlSchema } from '../variable-schemas.js'
import { type DeepgramSocket, openDeepgramSocket } from './deepgram-socket.js'
import { beginDeepgramUtterance, beginFluxUtterance } from './deepgram-utterance.js'
import { onceMore, RecognitionFailure, serviceErrorOf } from './recognition-failure.js'
import { languageOf, type RecognitionOptions, type Recognizer } from './recognizer.js'
import { languagesSchema, opened, recognizerProvider } from './recognizer-provider.js'
import { createUtterance, logFailure, type Utterance } from './utterance.js'

export interface DeepgramOptions {
  readonly logger: Logger
  /** With the version, as in `wss://api.deepgram.com/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey: string
  /** Audio of one utterance that is sent; the rest is dropped. Default 120,000. */
  readonly maxUtteranceMs?: number
  /** From the end of an utterance to its text. Default 10,000. */
  readonly finishTimeoutMs?: number
  /** Default 5,000. */
  readonly connectTimeoutMs?: number
  /** The interval of `KeepAlive` messages on a socket without audio. Default 4,000. */
  readonly keepAliveMs?: number
}

/** The pause after which a part of the text is final: a longer pause leaves little work for the end. */
const endpointingMs = 300

const isFlux = (model: string): boolean => model.startsWith('flux-')

/** The languages of Flux, of which the model for English alone knows only that. */
const fluxLanguages = ['en', 'de', 'es', 'fr', 'hi', 'it', 'ja', 'nl', 'pt', 'ru']
const languagesOf = (model: string): readonly string[] | undefined => {
  if (!isFlux(model)) return undefined
  return model.endsWith('-multi') ? fluxLanguages : ['en']
}

const fluxUrlOf = (baseUrl: string, model: string, language: string | undefined): URL => {
  const url = new URL(`${baseUrl.replace(/^http/, 'ws').replace(/(\/v1)?\/*$/, '')}/v2/listen`)
  url.search = new URLSearchParams({
    model,
    encoding: 'linear16',
    sample_rate: '16000',
    ...(model.endsWith('-multi') && language !== undefined && { language_hint: language }),
  }).toString()
  return url
}

const urlOf = (baseUrl: string, model: string, language: string | undefined): URL => {
  const url = new URL(`${baseUrl.replace(/^http/, 'ws').replace(/\/+$/, '')}/listen`)
  url.search = new URLSearchParams({
    model,
    // Deepgram refuses a region that it does not know, and knows regions of some languages only.
    language: language ?? 'multi',
    encoding: 'linear16',
    sample_rate: '16000',
    channels: '1',
    interim_results: 'true',
    punctuate: 'true',
    smart_format: 'true',
    endpointing: String(endpointingMs),
  }).toString()
  return url
}

export const createDeepgramRecognizer = (options: DeepgramOptions): Recognizer => {
  const { logger, baseUrl, model, apiKey, maxUtteranceMs = 120_000, finishTimeoutMs = 10_000 } = options
  const { connectTimeoutMs = 5000, keepAliveMs = 4000 } = options
  const active = new Set<Utterance>()
  let closed = false

  const connect = (tag: string, signal: AbortSignal): Promise<DeepgramSocket> => {
    const url = (isFlux(model) ? fluxUrlOf : urlOf)(baseUrl, model, languageOf(tag))
    return retry(() => openDeepgramSocket({ url, apiKey, connectTimeoutMs }, signal), {
      ...onceMore,
      signal,
      shouldRetry: (error) => error instanceof RecognitionFailure && error.mayTryAgain,
    })
  }

  const recognize = async (utterance: Utterance, { language, onEndOfTurn }: RecognitionOptions): Promise<void> => {
    active.add(utterance)
    try {
      const socket = await connect(language, utterance.settled)
      const space = wordSeparator(languageOf(language) ?? '')
      await utterance.decodeBy((onText) =>
        isFlux(model)
          ? beginFluxUtterance({ socket, space, onText }, onEndOfTurn)
          : beginDeepgramUtterance({ socket, space, onText }, keepAliveMs),
      )
    } catch (error) {
      if (!utterance.settled.aborted) utterance.fail(serviceErrorOf(error as RecognitionFailure))
    } finally {
      active.delete(utterance)
    }
  }

  return {
    name: 'deepgram',
    languages: languagesOf(model),
    endsTurns: isFlux(model),
    open: (recognition) => {
      const utterance = createUtterance(recognition, { maxUtteranceMs, finishTimeoutMs })
      logFailure(utterance, logger)
      if (closed) utterance.fail(draining())
      else void recognize(utterance, recognition)
      return utterance.recognition
    },
    close: async () => {
      closed = true
      for (const utterance of active) utterance.fail(draining())
    },
  }
}

export const deepgramProvider = recognizerProvider({
  variables: {
    STT_DEEPGRAM_API_KEY: z.string().optional().describe('the key of Deepgram'),
    STT_DEEPGRAM_API_KEY_FILE: z.string().min(1).optional().describe('a file that holds the key of Deepgram'),
    STT_DEEPGRAM_URL: baseUrlSchema(/^(https?|wss?)$/)
      .default('wss://api.deepgram.com/v1')
      .describe('the URL of Deepgram, with the version'),
    STT_DEEPGRAM_MODEL: z
      .string()
      .min(1)
      .max(200)
      .default('nova-3')
      .describe('the model of Deepgram, such as flux-general-en'),
    STT_DEEPGRAM_LANGUAGES: languagesSchema
      .optional()
      .describe('the languages for which Deepgram is used, such as en,de'),
  },
  missing: ({ STT_DEEPGRAM_API_KEY: key, STT_DEEPGRAM_API_KEY_FILE: file }) =>
    (key ?? file) ? undefined : 'STT_DEEPGRAM_API_KEY',
  async open(settings, { logger, readSecret }) {
    const { STT_DEEPGRAM_URL: baseUrl, STT_DEEPGRAM_MODEL: model, STT_DEEPGRAM_LANGUAGES: languages } = settings
    const apiKey = readKeySetting(settings, 'STT_DEEPGRAM_API_KEY', readSecret)!
    const created = createDeepgramRecognizer({ logger, baseUrl, model, apiKey })
    const recognizer = { ...created, languages: languages ?? created.languages }
    logger.info(
      { engine: recognizer.name, language: recognizer.languages?.join(', '), host: new URL(baseUrl).host },
      'Speech is recognized by Deepgram',
    )
    return opened(recognizer)
  },
})
