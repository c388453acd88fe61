/** What Cartesia's clients send, as our own requests and messages, and what they receive. */
import { randomUUID } from 'node:crypto'
import { pcmFromBytes, resolveOutput, wavHeader } from '@parlance/audio'
import {
  type Alignment,
  type AudioOutput,
  type ErrorBody,
  errorTable,
  ServiceError,
  type StreamClientMessage,
  type StreamServerMessage,
  type TimedText,
  toServiceError,
} from '@parlance/contracts'
import { z } from 'zod'
import { parseRequest } from '../../http/parsed-request.js'
import { base64Payload } from '../../stream/audio-frame.js'
import type { StreamDialect } from '../../stream/stream-connection.js'
import { standardCloseCode } from '../../websocket/close-codes.js'
import { punctuatedWords } from '../character-times.js'
import { vendorErrorBody } from '../vendors.js'

const outputFormatSchema = z.looseObject({
  container: z.string(),
  encoding: z.string().optional(),
  sample_rate: z.int().positive(),
  bit_rate: z.int().positive().optional(),
})

const voiceSchema = z.union([z.string().min(1), z.looseObject({ id: z.string().min(1) })], {
  error: 'must be the id of a voice, or have one; embeddings are not possible',
})

const speeds = { slow: 0.8, normal: 1, fast: 1.2 } as const

export const generationSchema = z.looseObject({
  model_id: z.string().nullish(),
  transcript: z.string(),
  voice: voiceSchema,
  output_format: outputFormatSchema,
  language: z.string().nullish(),
  locale: z.string().nullish(),
  generation_config: z
    .looseObject({ speed: z.number().min(0.5).max(2).nullish(), volume: z.number().min(0).max(2).nullish() })
    .nullish(),
  speed: z.enum(['slow', 'normal', 'fast']).nullish(),
  add_timestamps: z.boolean().nullish(),
  add_phoneme_timestamps: z.boolean().nullish(),
  context_id: z.string().min(1).max(64).nullish(),
})
export type Generation = z.output<typeof generationSchema>

const streamedGenerationSchema = generationSchema.extend({
  continue: z.boolean().nullish(),
  flush: z.boolean().nullish(),
  max_buffer_delay_ms: z.number().min(0).max(10_000).nullish(),
})
const cancelSchema = z.looseObject({ cancel: z.literal(true), context_id: z.string().min(1).max(64) })

const used = Object.keys(streamedGenerationSchema.shape)

/** The fields that were sent and have no effect. */
export const ignoredOf = (sent: Generation): string[] => [
  ...Object.entries(sent)
    .filter(([name, field]) => !used.includes(name) && field != null)
    .map(([name]) => name),
  ...Object.keys(sent.generation_config ?? {})
    .filter((name) => name !== 'speed' && name !== 'volume')
    .map((name) => `generation_config.${name}`),
]

const rawFormats = { pcm_s16le: 'pcm_s16le', pcm_f32le: 'pcm_s16le', pcm_mulaw: 'ulaw', pcm_alaw: 'alaw' } as const

/** The gateway makes samples of 32-bit floating point from PCM. Throws `unsupported_format`. */
export const outputOf = ({ container, encoding = 'pcm_s16le', sample_rate, bit_rate }: Generation['output_format']) => {
  const refuse = (detail: string) => new ServiceError('unsupported_format', `output_format: ${detail}`)
  const resolve = (format: AudioOutput['format'], bitRate?: number): AudioOutput => {
    try {
      return resolveOutput({ format, sample_rate, bit_rate: bitRate })
    } catch (error) {
      throw refuse(toServiceError(error).detail)
    }
  }
  const isFloat = encoding === 'pcm_f32le'
  const raw = rawFormats[encoding as keyof typeof rawFormats]
  switch (container) {
    case 'mp3':
      return { output: resolve('mp3', bit_rate), isFloat: false, isWav: false }
    case 'wav':
      if (raw !== 'pcm_s16le') throw refuse(`a WAV of ${encoding} is not possible; possible: pcm_s16le, pcm_f32le`)
      return { output: resolve(isFloat ? 'pcm_s16le' : 'wav'), isFloat, isWav: true }
    case 'raw':
      if (raw === undefined) throw refuse(`encoding ${encoding} is not among ${Object.keys(rawFormats).join(', ')}`)
      return { output: resolve(raw), isFloat, isWav: false }
    default:
      throw refuse(`container ${container} is not among raw, wav, mp3`)
  }
}

/** 16-bit PCM as 32-bit floating point, little endian. */
export const toFloat = (bytes: Uint8Array): Uint8Array => {
  const pcm = pcmFromBytes(bytes)
  const floats = Buffer.allocUnsafe(pcm.length * 4)
  for (let at = 0; at < pcm.length; at++) floats.writeFloatLE(pcm[at]! / 32_768, at * 4)
  return floats
}

/** The header of a streamed WAV of floating point, which differs from that of 16 bits in four fields. */
export const floatWavHeader = (sampleRateHz: number): Uint8Array => {
  const header = Buffer.from(wavHeader({ sampleRateHz, dataBytes: undefined }))
  header.writeUInt16LE(3, 20)
  header.writeUInt32LE(sampleRateHz * 4, 28)
  header.writeUInt16LE(4, 32)
  header.writeUInt16LE(32, 34)
  return header
}

/** Cartesia's own names of models stand for the voice's first variant. */
export const requestOf = (sent: Generation) => ({
  voice: typeof sent.voice === 'string' ? sent.voice : sent.voice.id,
  variant: sent.model_id == null || /^(sonic|upbeat-moon)/.test(sent.model_id) ? null : sent.model_id,
  language: sent.language ?? sent.locale ?? null,
  speed: sent.generation_config?.speed ?? speeds[sent.speed ?? 'normal'],
  volume: sent.generation_config?.volume ?? 1,
  alignment: [
    ...(sent.add_timestamps ? (['word'] as const) : []),
    ...(sent.add_phoneme_timestamps ? (['phoneme'] as const) : []),
  ],
})

const inSeconds = (times: readonly TimedText[]) => ({
  start: times.map(({ start_ms }) => start_ms / 1000),
  end: times.map(({ end_ms }) => end_ms / 1000),
})

const partial = { done: false, status_code: 206 }

interface CartesiaEvent {
  readonly type: string
  readonly [field: string]: unknown
}

/** The events of the times of a segment with this text. */
export const timestampEvents = (
  text: string,
  { words, phonemes }: Pick<Alignment, 'words' | 'phonemes'>,
  context: object,
): CartesiaEvent[] => {
  const punctuated = punctuatedWords(text, words)
  const word_timestamps = { words: punctuated.map((word) => word.text), ...inSeconds(words) }
  const phoneme_timestamps = { phonemes: phonemes.map((phoneme) => phoneme.text), ...inSeconds(phonemes) }
  return [
    ...(words.length === 0 ? [] : [{ type: 'timestamps', ...partial, ...context, word_timestamps }]),
    ...(phonemes.length === 0 ? [] : [{ type: 'phoneme_timestamps', ...partial, ...context, phoneme_timestamps }]),
  ]
}

export const doneEvent = (context: object): object => ({ type: 'done', done: true, status_code: 200, ...context })

export const errorEvent = (body: ErrorBody, context: object): object => ({
  ...vendorErrorBody('cartesia', body),
  type: 'error',
  done: true,
  status_code: errorTable[body.code].status,
  ...context,
})

interface OpenContext {
  readonly isFloat: boolean
  flushes: number
  /** The fields that had no effect and were not named yet. */
  ignored: string[]
}

/** The messages of one connection of `/tts/websocket`. */
export const createCartesiaDialect = (): StreamDialect => {
  const contexts = new Map<string, OpenContext>()

  const start = (id: string, sent: z.output<typeof streamedGenerationSchema>): StreamClientMessage => {
    if (sent.output_format.container !== 'raw') {
      throw new ServiceError('unsupported_format', 'output_format: the container is "raw" on a WebSocket')
    }
    const { output, isFloat } = outputOf(sent.output_format)
    const { voice, variant, language, speed, volume, alignment } = requestOf(sent)
    contexts.set(id, { isFloat, flushes: 0, ignored: ignoredOf(sent) })
    return {
      event: 'start',
      context_id: id,
      voice_id: voice,
      ...(variant !== null && { tts_variant: variant }),
      ...(language !== null && { language }),
      output: { format: output.format, sample_rate: output.sample_rate },
      audio_frames: 'base64',
      speed,
      volume,
      alignment,
      buffering: { mode: 'auto', max_delay_ms: sent.max_buffer_delay_ms ?? 150 },
    }
  }

  return {
    read(message) {
      if (typeof message === 'object' && message !== null && 'cancel' in message) {
        const { context_id } = parseRequest(cancelSchema, message)
        return contexts.has(context_id) ? [{ event: 'cancel', context_id }] : []
      }
      const sent = parseRequest(streamedGenerationSchema, message)
      const context_id = sent.context_id ?? randomUUID()
      const messages: StreamClientMessage[] = contexts.has(context_id) ? [] : [start(context_id, sent)]
      if (sent.transcript !== '') messages.push({ event: 'text', context_id, text: sent.transcript })
      if (sent.flush) {
        const flush_id = String(++contexts.get(context_id)!.flushes)
        messages.push({ event: 'flush', context_id, flush_id })
      }
      if (!sent.continue) messages.push({ event: 'end', context_id })
      return messages
    },

    write(message: StreamServerMessage, open) {
      if (!('context_id' in message) || message.context_id === undefined) {
        return message.event === 'error' ? [errorEvent(message, {})] : []
      }
      const { context_id } = message
      const context = { context_id }
      switch (message.event) {
        case 'alignment':
          return timestampEvents(open.textOf(context_id, message.segment), message, context)
        case 'flushed':
          return [{ type: 'flush_done', ...partial, ...context, flush_done: true, flush_id: Number(message.flush_id) }]
        case 'done':
        case 'cancelled':
          contexts.delete(context_id)
          return [doneEvent(context)]
        case 'error':
          if (open.isOpen(context_id)) return [{ ...errorEvent(message, context), done: false }]
          contexts.delete(context_id)
          return [errorEvent(message, context)]
        default:
          return []
      }
    },

    audioPayload({ id }, { data }) {
      const { isFloat, ignored } = contexts.get(id)!
      const warning =
        ignored.length === 0 ? {} : { warning: `These fields have no effect: ${ignored.splice(0).join(', ')}.` }
      const rest = JSON.stringify({ type: 'chunk', ...partial, step_time: 0, context_id: id, ...warning })
      return base64Payload('{"data":"', isFloat ? toFloat(data) : data, `",${rest.slice(1)}`)
    },

    closeCode: standardCloseCode,
    close: () => contexts.clear(),
  }
}
