/** Deepgram's `/v1/listen` as messages of `/v1/listen` of ours, and as the result of a transcription. */
import { createHash } from 'node:crypto'
import {
  type ErrorBody,
  type listenWordSchema,
  ServiceError,
  type TranscriptionSegment,
  wordSeparator,
} from '@parlance/contracts'
import { z } from 'zod'
import { parseRequest } from '../../http/parsed-request.js'
import { bytesPerMs, type ListenDialect } from '../../stream/listen-connection.js'
import { standardCloseCode } from '../../websocket/close-codes.js'
import type { ListeningSettings } from './deepgram-query.js'

const clientMessageSchema = z.object({ type: z.enum(['KeepAlive', 'Finalize', 'CloseStream']) })

type Word = z.infer<typeof listenWordSchema>

const seconds = (ms: number): number => Math.round(ms) / 1000

/** Clients require it, and recognizers do not report it. */
const confidence = 1

const wordsOf = (words: readonly Word[] = []) =>
  words.map(({ text, start_ms, end_ms }) => ({
    word: text.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''),
    start: seconds(start_ms),
    end: seconds(end_ms),
    confidence,
    punctuated_word: text,
  }))

const alternativeOf = (transcript: string, words?: readonly Word[]) => ({
  transcript,
  confidence: transcript === '' ? 0 : confidence,
  words: wordsOf(words),
})

const modelInfo = (name: string) => ({ name, version: 'latest', arch: name.split('/', 1)[0] as string })

interface Recognized {
  readonly requestId: string
  readonly model: string
  /** Of all audio. */
  readonly sha256: string
  readonly durationMs: number
}

const metadataOf = ({ requestId, model, sha256, durationMs, created }: Recognized & { readonly created: string }) => ({
  transaction_key: 'deprecated',
  request_id: requestId,
  sha256,
  created,
  duration: seconds(durationMs),
  channels: 1,
  models: [model],
  model_info: { [model]: modelInfo(model) },
})

/** The message of `/v1/listen` and `/v1/speak` before the socket is closed for an error. */
export const errorMessage = ({ code, detail, request_id, retryable }: Omit<ErrorBody, 'event'>) => ({
  type: 'Error',
  description: detail,
  message: detail,
  variant: code,
  request_id,
  retryable,
})

/** `raw` is the form of the audio. */
export const createDeepgramListening = (
  settings: ListeningSettings & { readonly raw: NonNullable<ListeningSettings['raw']> },
): ListenDialect => {
  const { raw, interimResults, vadEvents, utteranceEnd } = settings
  const form = { encoding: raw.encoding, sample_rate: raw.sampleRateHz }
  const hash = createHash('sha256')
  const created = new Date().toISOString()
  let receivedBytes = 0
  let requestId = ''
  let model = settings.model ?? ''
  let isFinalizing = false

  const metadata = () => ({ request_id: requestId, model_info: modelInfo(model), model_uuid: model })

  return {
    start: {
      event: 'start',
      ...form,
      interim_results: interimResults,
      words: true,
      ...(settings.model !== null && { model: settings.model }),
      ...(settings.language !== null && { language: settings.language }),
    },
    closeCode: standardCloseCode,
    onAudio(data) {
      receivedBytes += data.length
      hash.update(data)
    },
    read(message) {
      switch (parseRequest(clientMessageSchema, message).type) {
        case 'KeepAlive':
          return [{ event: 'keepalive' }]
        case 'Finalize':
          isFinalizing = true
          return [{ event: 'finalize' }]
        case 'CloseStream':
          return [{ event: 'close' }]
      }
    },
    write(message) {
      switch (message.event) {
        case 'ready':
          requestId = message.request_id
          return []
        case 'started':
          model = message.model
          return []
        case 'speech':
          if (!message.started || !vadEvents) return []
          return [{ type: 'SpeechStarted', channel: [0, 1], timestamp: seconds(message.at_ms ?? 0) }]
        case 'transcript': {
          const { text, final, start_ms, end_ms, words } = message
          const fromFinalize = final && isFinalizing
          if (final) isFinalizing = false
          const results = {
            type: 'Results',
            channel_index: [0, 1],
            duration: seconds(end_ms - start_ms),
            start: seconds(start_ms),
            is_final: final,
            speech_final: final,
            channel: { alternatives: [alternativeOf(text, words)] },
            metadata: metadata(),
            from_finalize: fromFinalize,
          }
          if (!final || !utteranceEnd || text === '') return [results]
          const lastWordEnd = seconds(words?.at(-1)?.end_ms ?? end_ms)
          return [results, { type: 'UtteranceEnd', channel: [0, 1], last_word_end: lastWordEnd }]
        }
        case 'done':
          return [
            {
              type: 'Metadata',
              ...metadataOf({
                ...{ requestId, model, created, sha256: hash.digest('hex') },
                durationMs: receivedBytes / bytesPerMs(form),
              }),
            },
          ]
        case 'draining':
        case 'finalized':
          return []
        default:
          return [errorMessage(message)]
      }
    },
  }
}

/** Audio in a container has no form that is known before it is read. */
export const requireRaw = ({ raw }: ListeningSettings): NonNullable<ListeningSettings['raw']> => {
  if (raw !== undefined) return raw
  throw new ServiceError(
    'unsupported_format',
    'encoding: is required; a stream is linear16, mulaw or alaw, without a container',
  )
}

interface RecordingResult extends Recognized {
  readonly language: string
  readonly segments: readonly (TranscriptionSegment & { readonly words?: readonly Word[] | undefined })[]
  readonly withUtterances: boolean
}

/** The body for a recording. */
export const recordingResult = (result: RecordingResult) => {
  const { requestId, language, segments, withUtterances } = result
  const text = segments.map((segment) => segment.text).join(wordSeparator(language))
  return {
    metadata: metadataOf({ ...result, created: new Date().toISOString() }),
    results: {
      channels: [
        {
          alternatives: [
            alternativeOf(
              text,
              segments.flatMap(({ words = [] }) => words),
            ),
          ],
        },
      ],
      ...(withUtterances && {
        utterances: segments.map(({ text: transcript, start_ms, end_ms, words }, index) => ({
          start: seconds(start_ms),
          end: seconds(end_ms),
          confidence,
          channel: 0,
          transcript,
          words: wordsOf(words),
          id: `${requestId}-${index}`,
        })),
      }),
    },
  }
}
