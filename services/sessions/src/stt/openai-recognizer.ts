/**
 * Any server with OpenAI's `/v1/audio/transcriptions`. An utterance is sent as a whole at its end, or at a preview after which
 * only silence follows.
 *
 * - Audio goes to the configured server only: redirects are not followed.
 * - A request is sent at most twice, the second time only after a network error or a status of 500 or more.
 */
import { retry } from '@parlance/async'
import { wavHeader } from '@parlance/audio'
import { draining, ServiceError } from '@parlance/contracts'
import { readKeySetting } from '@parlance/runtime'
import type { Logger } from '@parlance/telemetry'
import { FormData, Pool } from 'undici'
import { z } from 'zod'
import { baseUrlSchema } from '../variable-schemas.js'
import { onceMore, RecognitionFailure, serviceErrorOf } from './recognition-failure.js'
import {
  type FinishOptions,
  languageOf,
  type Recognition,
  type RecognitionOptions,
  type Recognizer,
  type Transcription,
} from './recognizer.js'
import { languagesSchema, opened, recognizerProvider } from './recognizer-provider.js'
import { readTranscription } from './transcription-answer.js'

export interface OpenaiOptions {
  readonly logger: Logger
  /** With the version, as in `https://api.openai.com/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey?: string | undefined
  /** Audio of one utterance that is sent; the rest is dropped. Default 120,000. */
  readonly maxUtteranceMs?: number
  /** From the end of an utterance to its text, over all attempts. Default 15,000. */
  readonly finishTimeoutMs?: number
}

const samplesPerMs = 16
const connections = 32
const connectTimeoutMs = 5000
const keepAliveMs = 60_000
/** Servers refuse shorter audio, in which there are no words. */
const minUtteranceMs = 100

const wavOf = (parts: readonly Int16Array[], sampleCount: number): Blob =>
  new Blob([wavHeader({ sampleRateHz: samplesPerMs * 1000, dataBytes: sampleCount * 2 }), ...parts], {
    type: 'audio/wav',
  })

export const createOpenaiRecognizer = (options: OpenaiOptions): Recognizer => {
  const { logger, model, apiKey, maxUtteranceMs = 120_000, finishTimeoutMs = 15_000 } = options
  const url = new URL(`${options.baseUrl.replace(/\/+$/, '')}/audio/transcriptions`)
  const headers = { accept: 'application/json', ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) }
  const pool = new Pool(url.origin, {
    connections,
    connect: { timeout: connectTimeoutMs },
    keepAliveTimeout: keepAliveMs,
    // `finishTimeoutMs` limits all of a request.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  /** Requests in progress. The reason of an abort is the error for the caller. */
  const active = new Set<AbortController>()
  let closed = false

  const request = async (wav: Blob, language: string | undefined, signal: AbortSignal): Promise<string> => {
    const body = new FormData()
    body.set('file', wav, 'utterance.wav')
    body.set('model', model)
    body.set('response_format', 'json')
    if (language !== undefined) body.set('language', language)
    const response = await pool.request({ path: url.pathname, method: 'POST', headers, body, signal })
    return readTranscription(response)
  }

  const transcribe = (wav: Blob, language: string, signal: AbortSignal): Promise<string> =>
    retry(() => request(wav, languageOf(language), signal), {
      ...onceMore,
      signal,
      shouldRetry: (error) => !(error instanceof RecognitionFailure) || error.mayTryAgain,
    })

  /** The error for the caller. The failure of the server is logged. */
  const failureOf = (error: unknown): unknown => {
    if (error instanceof ServiceError || (error as Error).name === 'AbortError') return error
    const failure =
      error instanceof RecognitionFailure
        ? error
        : new RecognitionFailure('upstream_error', 'the connection to the server failed', { cause: error })
    logger.warn({ err: failure }, 'An utterance was not recognized')
    return serviceErrorOf(failure)
  }

  const open = ({ language }: RecognitionOptions): Recognition => {
    const parts: Int16Array[] = []
    const cancelled = new AbortController()
    let sampleCount = 0
    let previewed: { readonly text: Promise<string | undefined>; readonly cancelled: AbortController } | undefined

    const transcribeSoFar = (signal: AbortSignal): Promise<string> =>
      transcribe(wavOf(parts, sampleCount), language, signal)

    const preview = async (): Promise<string | undefined> => {
      previewed?.cancelled.abort()
      if (closed || sampleCount / samplesPerMs < minUtteranceMs) return undefined
      const superseded = new AbortController()
      const signal = AbortSignal.any([cancelled.signal, superseded.signal, AbortSignal.timeout(finishTimeoutMs)])
      previewed = { text: transcribeSoFar(signal).catch(() => undefined), cancelled: superseded }
      return previewed.text
    }

    const finish = async ({ silentSincePreview = false }: FinishOptions = {}): Promise<Transcription> => {
      const audioMs = sampleCount / samplesPerMs
      if (closed) cancelled.abort(draining())
      const late = () =>
        cancelled.abort(new RecognitionFailure('upstream_timeout', 'the server did not answer in time'))
      const timer = setTimeout(late, finishTimeoutMs)
      active.add(cancelled)
      try {
        cancelled.signal.throwIfAborted()
        if (audioMs < minUtteranceMs) return { text: '', audioMs }
        if (!silentSincePreview) previewed?.cancelled.abort()
        const text =
          (silentSincePreview ? await previewed?.text : undefined) ?? (await transcribeSoFar(cancelled.signal))
        return { text, audioMs }
      } catch (error) {
        throw failureOf(cancelled.signal.aborted ? cancelled.signal.reason : error)
      } finally {
        clearTimeout(timer)
        active.delete(cancelled)
        parts.length = 0
      }
    }

    return {
      push: (samples) => {
        if (cancelled.signal.aborted) return
        const taken = samples.slice(0, Math.max(0, maxUtteranceMs * samplesPerMs - sampleCount))
        sampleCount += taken.length
        parts.push(taken)
      },
      preview,
      finish,
      cancel: () => {
        parts.length = 0
        cancelled.abort()
      },
    }
  }

  return {
    name: 'openai',
    languages: undefined,
    open,
    close: async () => {
      closed = true
      for (const cancelled of active) cancelled.abort(draining())
      await pool.destroy()
    },
  }
}

export const openaiProvider = recognizerProvider({
  variables: {
    STT_OPENAI_URL: baseUrlSchema(/^https?$/)
      .optional()
      .describe("a server with OpenAI's transcriptions, with the version: https://api.openai.com/v1"),
    STT_OPENAI_MODEL: z.string().min(1).max(200).default('whisper-1').describe('the model of that server'),
    STT_OPENAI_API_KEY: z.string().optional().describe('the key of that server'),
    STT_OPENAI_API_KEY_FILE: z.string().min(1).optional().describe('a file that holds the key of that server'),
    STT_OPENAI_LANGUAGES: languagesSchema
      .optional()
      .describe('the languages for which that server is used, such as en,de'),
  },
  missing: ({ STT_OPENAI_URL: url }) => (url === undefined ? 'STT_OPENAI_URL' : undefined),
  async open(settings, { logger, readSecret }) {
    const { STT_OPENAI_MODEL: model, STT_OPENAI_LANGUAGES: languages } = settings
    const baseUrl = settings.STT_OPENAI_URL!
    const apiKey = readKeySetting(settings, 'STT_OPENAI_API_KEY', readSecret)
    const recognizer = { ...createOpenaiRecognizer({ logger, baseUrl, model, apiKey }), languages }
    logger.info(
      { engine: recognizer.name, language: languages?.join(', '), host: new URL(baseUrl).host },
      'Speech is recognized by a server with the interface of OpenAI',
    )
    return opened(recognizer)
  },
})
