import { resolveOutput } from '@parlance/audio'
import {
  type Alignment,
  type AlignmentKind,
  maxTextCodePoints,
  type OpenaiSpeechRequest,
  ServiceError,
  type TtsRequest,
} from '@parlance/contracts'
import { countCodePoints } from '@parlance/speech'
import type { Request } from 'express'
import type { z } from 'zod'
import { readJsonBody } from '../http/json-body.js'
import { parseRequest } from '../http/parsed-request.js'
import type { SpeechRequest } from './speech.js'

/** `alignment` with only the requested kinds; the others are empty arrays. */
export const requestedAlignment = (
  { words, phonemes, visemes }: Alignment,
  requested: readonly AlignmentKind[],
): Alignment => ({
  words: requested.includes('word') ? words : [],
  phonemes: requested.includes('phoneme') ? phonemes : [],
  visemes: requested.includes('viseme') ? visemes : [],
})

/**
 * Reads the body of a request for speech, with its text in `field`. Rejects as `parseBody` does, and with `text_too_long` for a long
 * text even if the body has other errors.
 */
export const readSpeechBody = async <Schema extends z.ZodType>(
  req: Request,
  schema: Schema,
  field: 'text' | 'input' | 'transcript',
): Promise<z.output<Schema>> => {
  const body = await readJsonBody(req)
  refuseLongText(body, field)
  return parseRequest(schema, body)
}

const refuseLongText = (body: unknown, field: string): void => {
  const text = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : undefined
  if (typeof text !== 'string' || text.length <= maxTextCodePoints) return
  if (text.length > 2 * maxTextCodePoints || countCodePoints(text) > maxTextCodePoints) {
    throw new ServiceError('text_too_long', `${field}: at most ${maxTextCodePoints} characters can be spoken at once.`)
  }
}

/** The speech for a body of `POST /v1/tts`. */
export const fromTtsRequest = (request: TtsRequest): SpeechRequest => {
  if (request.response_mode === 'audio' && request.alignment.length > 0) {
    throw new ServiceError(
      'alignment_requires_json',
      'alignment: not possible in an audio response; use response_mode "json" or "sse".',
    )
  }
  return {
    text: request.text,
    voice: request.voice_id,
    variant: request.tts_variant ?? null,
    language: request.language ?? null,
    output: resolveOutput(request.output),
    speed: request.speed,
    volume: request.volume,
    alignment: [...new Set(request.alignment)],
  }
}

/** OpenAI's model names match no local model. They select the voice's first variant. */
export const openaiSpeechModels: readonly string[] = ['tts-1', 'tts-1-hd', 'gpt-4o-mini-tts']

/**
 * The API's name for each format of OpenAI. Its `pcm` is 24 kHz, signed 16 bits, little endian. The gateway encodes AAC from
 * PCM.
 */
const openaiFormats = {
  mp3: 'mp3',
  opus: 'opus',
  aac: 'pcm_s16le',
  flac: 'flac',
  wav: 'wav',
  pcm: 'pcm_s16le',
} as const

/** The speech for a body of `POST /v1/audio/speech`, whose `instructions` are ignored. */
export const fromOpenaiRequest = (request: OpenaiSpeechRequest): SpeechRequest => ({
  text: request.input,
  voice: typeof request.voice === 'string' ? request.voice : request.voice.id,
  variant: openaiSpeechModels.includes(request.model) ? null : request.model,
  language: null,
  output: resolveOutput({ format: openaiFormats[request.response_format] }),
  // The range of the engines.
  speed: Math.min(2, Math.max(0.5, request.speed)),
  volume: 1,
  alignment: [],
})
