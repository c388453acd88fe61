/**
 * Deepgram's streaming API: an utterance is heard while it is spoken, over a socket of its own.
 *
 * - Its audio is kept until the socket is open, so that connecting takes no time of anybody's: whoever begins to speak does
 *   not end before that. Between utterances there is nothing to keep alive or to tell apart, and nothing to pay.
 * - What was said goes to the configured place and nowhere else: redirects are not followed.
 * - A socket is asked for twice at most, and only where the connection failed or the server says that it did.
 */
import { ServiceError } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import { type DeepgramSocket, openDeepgramSocket } from './deepgram-socket.js'
import { languageOf } from './language-of.js'
import { draining, RecognitionFailure, serviceErrorOf } from './recognition-failure.js'
import type { Recognizer } from './recognizer.js'
import { createUtterance, type Utterance } from './utterance.js'

export interface DeepgramOptions {
  readonly logger: Logger
  /** With the version, as in `wss://api.deepgram.com/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey: string
  /** Of an utterance; the rest is not sent. Default 120,000. */
  readonly longestMs?: number
  /** From the end of an utterance to its text. Default 10,000. */
  readonly finishTimeoutMs?: number
  /** Default 5,000. */
  readonly connectTimeoutMs?: number
  /** How often a silent socket is kept open. Default 4,000. */
  readonly keepAliveMs?: number
}

/** Of these the stretches of a text are joined without a space. */
const writtenWithoutSpaces: ReadonlySet<string> = new Set(['ja', 'th', 'yue', 'zh'])

/** A pause that ends a stretch of text: what is said before it is done with when the utterance ends. */
const endpointingMs = 300

const urlOf = (baseUrl: string, model: string, language: string | undefined): URL => {
  const url = new URL(`${baseUrl.replace(/^http/, 'ws').replace(/\/+$/, '')}/listen`)
  url.search = new URLSearchParams({
    model,
    // Regions are known of some languages only, and another is refused.
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
  const { logger, baseUrl, model, apiKey, longestMs = 120_000, finishTimeoutMs = 10_000 } = options
  const { connectTimeoutMs = 5000, keepAliveMs = 4000 } = options
  const underWay = new Set<Utterance>()
  let closed = false

  const connect = async (tag: string, signal: AbortSignal): Promise<DeepgramSocket> => {
    const language = languageOf(tag)
    const space = writtenWithoutSpaces.has(language ?? '') ? '' : ' '
    const socket = { url: urlOf(baseUrl, model, language), apiKey, space, connectTimeoutMs, keepAliveMs }
    try {
      return await openDeepgramSocket(socket, signal)
    } catch (error) {
      if (!(error instanceof RecognitionFailure && error.mayTryAgain)) throw error
      return openDeepgramSocket(socket, signal)
    }
  }

  const hear = async (utterance: Utterance, language: string): Promise<void> => {
    underWay.add(utterance)
    try {
      const socket = await connect(language, utterance.settled)
      await utterance.hearBy(socket.begin)
    } catch (error) {
      if (!utterance.settled.aborted) utterance.fail(serviceErrorOf(error as RecognitionFailure))
    } finally {
      underWay.delete(utterance)
    }
  }

  const logFailure = ({ reason }: AbortSignal) => {
    if (!(reason instanceof ServiceError) || reason.code === 'draining') return
    logger.warn({ err: reason.cause ?? reason }, 'An utterance was not recognised')
  }

  return {
    name: 'deepgram',
    languages: undefined,
    open: (recognition) => {
      const utterance = createUtterance(recognition, { longestMs, finishTimeoutMs })
      utterance.settled.addEventListener('abort', () => logFailure(utterance.settled), { once: true })
      if (closed) utterance.fail(draining())
      else void hear(utterance, recognition.language)
      return utterance.recognition
    },
    close: async () => {
      closed = true
      for (const utterance of underWay) utterance.fail(draining())
    },
  }
}
