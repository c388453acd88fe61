/**
 * Any server with OpenAI's `/v1/audio/transcriptions`. An utterance is sent as a whole at its end, or at a preview after which
 * only silence follows.
 *
 * - Audio goes to the configured server only: redirects are not followed.
 * - A request is sent at most twice, the second time only after a network error or a status of 500 or more.
 */
import { retry } from '@parlance/async'
import { wavHeader } from '@parlance/audio'
import { draining, isErrorName } from '@parlance/contracts'
import { recognizedWords } from '@parlance/engine/protocol'
import { readKeySetting } from '@parlance/runtime'
import type { Logger } from '@parlance/telemetry'
import { type Dispatcher, FormData, Pool } from 'undici'
import { z } from 'zod'
import { baseUrlSchema } from '../variable-schemas.js'
import { type Preview, withPartialTexts } from './partial-decoding.js'
import { broken, failureOfStatus, onceMore, RecognitionFailure, serviceErrorOf } from './recognition-failure.js'
import { languageOf, type Recognizer } from './recognizer.js'
import { languagesSchema, opened, recognizerProvider } from './recognizer-provider.js'
import { createUtterance, logFailure, type Utterance } from './utterance.js'

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

const samplesOf = (parts: readonly Int16Array[]): number => parts.reduce((sum, { length }) => sum + length, 0)
const isTooShort = (parts: readonly Int16Array[]): boolean => samplesOf(parts) < minUtteranceMs * samplesPerMs

const wavOf = (parts: readonly Int16Array[]): Blob =>
  new Blob([wavHeader({ sampleRateHz: samplesPerMs * 1000, dataBytes: samplesOf(parts) * 2 }), ...parts], {
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
  const active = new Set<Utterance>()
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

  /** Rejects with `ServiceError`. */
  const transcribe = (wav: Blob, language: string, signal: AbortSignal): Promise<string> =>
    retry(() => request(wav, languageOf(language), signal), {
      ...onceMore,
      signal,
      shouldRetry: (error) => !(error instanceof RecognitionFailure) || error.mayTryAgain,
    }).catch((cause: unknown) => {
      const unreachable = () => broken('the connection to the server failed', { cause })
      throw serviceErrorOf(cause instanceof RecognitionFailure ? cause : unreachable())
    })

  return {
    name: 'openai',
    languages: undefined,
    open({ language }) {
      // The text of a preview is for its caller, and no partial text.
      const utterance = createUtterance({ onPartial: () => {} }, { maxUtteranceMs, finishTimeoutMs })
      const { kept, settled, resolveWith, fail } = utterance
      active.add(utterance)
      settled.addEventListener('abort', () => active.delete(utterance), { once: true })
      logFailure(utterance, logger)
      if (closed) fail(draining())

      const preview = (audio: readonly Int16Array[]): Preview => {
        const superseded = new AbortController()
        const signal = AbortSignal.any([settled, superseded.signal, AbortSignal.timeout(finishTimeoutMs)])
        const text = isTooShort(audio) ? undefined : transcribe(wavOf(audio), language, signal).catch(() => undefined)
        return { text: Promise.resolve(text), cancel: () => superseded.abort() }
      }
      const onEnd = (): void => {
        if (isTooShort(kept)) resolveWith('')
        else transcribe(wavOf(kept), language, settled).then(resolveWith, fail)
      }
      return withPartialTexts({ utterance, preview, onEnd })
    },
    async close() {
      closed = true
      for (const utterance of active) utterance.fail(draining())
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

const maxAnswerBytes = 256 * 1024
const answerSchema = z.object({ text: z.string() })
const errorSchema = z.object({ error: z.object({ code: z.custom<string>(isErrorName) }) })

const readJson = async (body: Dispatcher.ResponseData['body']): Promise<unknown> => {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body as AsyncIterable<Uint8Array>) {
    bytes += part.length
    if (bytes > maxAnswerBytes) throw broken('an answer that does not end')
    parts.push(part)
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'))
  } catch {
    // The parser's own error would quote the answer, and with it the user's words.
    throw broken('an answer that is not JSON')
  }
}

/** Throws the failure of a status. A used-up quota is not a matter of waiting. */
const refuse = (status: number, answer: unknown): never => {
  const code = errorSchema.safeParse(answer).data?.error.code
  const message = `the server answered ${status}${code === undefined ? '' : ` (${code})`}`
  throw code === 'insufficient_quota' ? broken(message) : failureOfStatus(status, message)
}

/** The words of an answer, or an empty text. Rejects with `RecognitionFailure`, or with the error of the connection. */
const readTranscription = async ({ statusCode, body }: Dispatcher.ResponseData): Promise<string> => {
  if (statusCode !== 200) return refuse(statusCode, await readJson(body).catch(() => undefined))
  const answer = answerSchema.safeParse(await readJson(body))
  if (!answer.success) throw broken('an answer without a text')
  return recognizedWords(answer.data.text)
}
