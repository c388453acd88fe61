/**
 * Any server with OpenAI's `/v1/audio/transcriptions`: an utterance is sent to it as a whole once it is over.
 *
 * - What was said goes to the configured place and nowhere else: redirects are not followed.
 * - An utterance is asked for twice at most, and only where the connection failed or the server says that it did.
 */
import { wavHeader } from '@parlance/audio'
import { ServiceError } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import { FormData, Pool } from 'undici'
import { languageOf } from './language-of.js'
import { draining, RecognitionFailure, serviceErrorOf } from './recognition-failure.js'
import type { Recognition, RecognitionOptions, Recognizer, Transcription } from './recognizer.js'
import { readTranscription } from './transcription-answer.js'

export interface OpenaiOptions {
  readonly logger: Logger
  /** With the version, as in `https://api.openai.com/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey?: string | undefined
  /** Of an utterance; the rest is not sent. Default 120,000. */
  readonly longestMs?: number
  /** From the end of an utterance to its text, over all attempts. Default 15,000. */
  readonly finishTimeoutMs?: number
}

const samplesPerMs = 16
const connections = 32
const connectTimeoutMs = 5000
const keepAliveMs = 60_000
/** Servers refuse what is shorter, and nobody said anything in it. */
const shortestMs = 100

const wavOf = (parts: readonly Int16Array[], sampleCount: number): Blob =>
  new Blob([wavHeader({ sampleRateHz: samplesPerMs * 1000, dataBytes: sampleCount * 2 }), ...parts], {
    type: 'audio/wav',
  })

export const createOpenaiRecognizer = (options: OpenaiOptions): Recognizer => {
  const { logger, model, apiKey, longestMs = 120_000, finishTimeoutMs = 15_000 } = options
  const url = new URL(`${options.baseUrl.replace(/\/+$/, '')}/audio/transcriptions`)
  const headers = { accept: 'application/json', ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) }
  const pool = new Pool(url.origin, {
    connections,
    connect: { timeout: connectTimeoutMs },
    keepAliveTimeout: keepAliveMs,
    // How long all of it may take is measured from the end of the utterance.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  /** Utterances that are asked for; the reason by which one is aborted is what its caller is told. */
  const underWay = new Set<AbortController>()
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

  const transcribe = async (wav: Blob, tag: string, signal: AbortSignal): Promise<string> => {
    const language = languageOf(tag)
    try {
      return await request(wav, language, signal)
    } catch (error) {
      if (signal.aborted || (error instanceof RecognitionFailure && !error.mayTryAgain)) throw error
      return request(wav, language, signal)
    }
  }

  /** What the caller is told; what the server did is logged. */
  const failureOf = (error: unknown): unknown => {
    if (error instanceof ServiceError || (error as Error).name === 'AbortError') return error
    const failure =
      error instanceof RecognitionFailure
        ? error
        : new RecognitionFailure('upstream_error', 'the connection to the server failed', { cause: error })
    logger.warn({ err: failure }, 'An utterance was not recognised')
    return serviceErrorOf(failure)
  }

  const open = ({ language }: RecognitionOptions): Recognition => {
    const parts: Int16Array[] = []
    const unwanted = new AbortController()
    let sampleCount = 0

    const finish = async (): Promise<Transcription> => {
      const audioMs = sampleCount / samplesPerMs
      if (closed) unwanted.abort(draining())
      const late = () => unwanted.abort(new RecognitionFailure('upstream_timeout', 'the server did not answer in time'))
      const timer = setTimeout(late, finishTimeoutMs)
      underWay.add(unwanted)
      try {
        unwanted.signal.throwIfAborted()
        if (audioMs < shortestMs) return { text: '', audioMs }
        return { text: await transcribe(wavOf(parts.splice(0), sampleCount), language, unwanted.signal), audioMs }
      } catch (error) {
        throw failureOf(unwanted.signal.aborted ? unwanted.signal.reason : error)
      } finally {
        clearTimeout(timer)
        underWay.delete(unwanted)
      }
    }

    return {
      push: (samples) => {
        if (unwanted.signal.aborted) return
        const taken = samples.slice(0, Math.max(0, longestMs * samplesPerMs - sampleCount))
        sampleCount += taken.length
        parts.push(taken)
      },
      finish,
      cancel: () => {
        parts.length = 0
        unwanted.abort()
      },
    }
  }

  return {
    name: 'openai',
    languages: undefined,
    open,
    close: async () => {
      closed = true
      for (const unwanted of underWay) unwanted.abort(draining())
      await pool.destroy()
    },
  }
}
