/** What ElevenLabs' clients send, as our own requests and messages, and what they receive. */

import { pcmFromBytes, resolveOutput } from '@parlance/audio'
import { type AudioEncoder, createAudioEncoder } from '@parlance/audio/encoding'
import {
  type AudioOutput,
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
import { characterTimes, type TimedCharacter, takeBefore } from '../character-times.js'

const formats = {
  mp3: 'mp3',
  pcm: 'pcm_s16le',
  wav: 'wav',
  opus: 'opus',
  ulaw: 'ulaw',
  alaw: 'alaw',
} as const

/** The output that has a name such as `mp3_44100_128`. Throws `unsupported_format`. */
export const outputNamed = (name: string): AudioOutput => {
  const [, codec = '', rate, kilobits] = /^([a-z0-9]+?)_(\d+)(?:_(\d+))?$/.exec(name) ?? []
  const format = formats[codec as keyof typeof formats]
  if (format === undefined) {
    const possible = Object.keys(formats).join(', ')
    throw new ServiceError('unsupported_format', `output_format: ${name} is not possible; codecs: ${possible}`)
  }
  try {
    return resolveOutput({
      format,
      sample_rate: Number(rate),
      ...(kilobits !== undefined && { bit_rate: Number(kilobits) * 1000 }),
    })
  } catch (error) {
    throw new ServiceError('unsupported_format', `output_format: ${name}: ${toServiceError(error).detail}`)
  }
}

/** ElevenLabs' own names of models stand for the voice's first variant. */
export const variantOf = (modelId: string | null | undefined): string | null =>
  modelId == null || modelId.startsWith('eleven_') ? null : modelId

const voiceSettingsSchema = z.looseObject({ speed: z.number().min(0.5).max(2).nullish() })

/** Which fields are used; the others that ElevenLabs has are ignored, and named. */
const ignoredOf = (value: object, used: readonly string[]): string[] =>
  Object.entries(value)
    .filter(([name, field]) => !used.includes(name) && field != null)
    .map(([name]) => name)

const ignoredOfSettings = (settings: object | null | undefined): string[] =>
  ignoredOf(settings ?? {}, ['speed']).map((name) => `voice_settings.${name}`)

export const speechQuerySchema = z.looseObject({ output_format: z.string().default('mp3_44100_128') })

export const speechBodySchema = z.looseObject({
  text: z.string().regex(/\S/, { error: 'must not be blank' }),
  model_id: z.string().nullish(),
  language_code: z.string().nullish(),
  voice_settings: voiceSettingsSchema.nullish(),
})

export const ignoredOfSpeech = (query: object, body: z.output<typeof speechBodySchema>): string[] => [
  ...ignoredOf(query, ['output_format']),
  ...ignoredOf(body, ['text', 'model_id', 'language_code', 'voice_settings']),
  ...ignoredOfSettings(body.voice_settings),
]

/** The alignment of a response over HTTP, in seconds. */
export const alignmentInSeconds = (times: readonly TimedCharacter[]) => ({
  characters: times.map(({ character }) => character),
  character_start_times_seconds: times.map(({ startMs }) => startMs / 1000),
  character_end_times_seconds: times.map(({ endMs }) => endMs / 1000),
})

/** The alignment of an audio message on a socket, in ms from the start of its audio. */
const alignmentFrom = (times: readonly TimedCharacter[], fromMs: number) => ({
  chars: times.map(({ character }) => character),
  charStartTimesMs: times.map(({ startMs }) => Math.max(0, Math.round(startMs - fromMs))),
  charDurationsMs: times.map(({ startMs, endMs }) => Math.round(endMs - startMs)),
})

export const streamInputQuerySchema = z.looseObject({
  output_format: z.string().default('mp3_44100_128'),
  model_id: z.string().optional(),
  language_code: z.string().optional(),
  auto_mode: z.string().optional(),
  inactivity_timeout: z.coerce.number().min(1).max(180).default(20),
})
const usedOfQuery = [
  ...['output_format', 'model_id', 'language_code', 'auto_mode', 'inactivity_timeout'],
  ...['token', 'single_use_token'],
]

const streamMessageSchema = z.looseObject({
  text: z.string().nullish(),
  context_id: z.string().min(1).max(64).nullish(),
  voice_settings: voiceSettingsSchema.nullish(),
  flush: z.boolean().nullish(),
  close_context: z.boolean().nullish(),
  close_socket: z.boolean().nullish(),
})
type StreamMessage = z.output<typeof streamMessageSchema>
const usedOfMessage = [...Object.keys(streamMessageSchema.shape), 'contextId', 'xi_api_key', 'authorization']

/** A context of the client, from its first message to the message that ends it. */
interface OpenContext {
  /** Set before the context is started. */
  encoder: AudioEncoder | undefined
  readonly ignored: Set<string>
  /** The segment whose alignment came before its audio. */
  segment: { readonly text: string; readonly words: readonly TimedText[] } | undefined
  /** The characters that were not sent yet. */
  times: TimedCharacter[]
  /** The time at which the audio so far ends. */
  endMs: number
  /** Whether all text so far is being spoken, so that a close of the context waits for it. */
  isFlushed: boolean
}

interface ElevenlabsDialectOptions {
  readonly voiceId: string
  readonly query: z.output<typeof streamInputQuerySchema>
  readonly output: AudioOutput
  /** `multi-stream-input`: contexts with ids. Otherwise the socket has one context, and ends with it. */
  readonly isMulti: boolean
}

const onlyContext = 'default'

/** The messages of `stream-input` and `multi-stream-input` of one connection. */
export const createElevenlabsDialect = ({
  voiceId,
  query,
  output,
  isMulti,
}: ElevenlabsDialectOptions): StreamDialect => {
  const contexts = new Map<string, OpenContext>()
  const ofQuery = ignoredOf(query, usedOfQuery)
  const { sample_rate } = output
  /** Why the socket ends with its last context, as a close code. */
  let endCode: number | undefined

  const openContext = async (id: string, { voice_settings }: StreamMessage): Promise<StreamClientMessage> => {
    const context: OpenContext = {
      encoder: undefined,
      ignored: new Set([...ofQuery, ...ignoredOfSettings(voice_settings)]),
      segment: undefined,
      times: [],
      endMs: 0,
      isFlushed: true,
    }
    contexts.set(id, context)
    context.encoder = await createAudioEncoder({ output, inputSampleRateHz: sample_rate })
    if (contexts.get(id) !== context) context.encoder.finish()
    const variant = variantOf(query.model_id)
    return {
      event: 'start',
      context_id: id,
      voice_id: voiceId,
      ...(variant !== null && { tts_variant: variant }),
      ...(query.language_code !== undefined && { language: query.language_code }),
      output: { format: 'pcm_s16le', sample_rate },
      audio_frames: 'base64',
      speed: voice_settings?.speed ?? 1,
      volume: 1,
      alignment: ['word'],
      buffering: { mode: 'auto', max_delay_ms: 150 },
    }
  }

  const toMessages = async (sent: StreamMessage): Promise<StreamClientMessage[]> => {
    const id = (isMulti ? sent.context_id : undefined) ?? onlyContext
    if (isMulti && sent.close_socket) {
      endCode = 1000
      if (contexts.size === 0) return [{ event: 'close' }]
      return [...contexts.keys()].map((context_id) => ({ event: 'end', context_id }))
    }
    const text = sent.text ?? ''
    let context = contexts.get(id)
    if (isMulti && sent.close_context) {
      if (context === undefined) return []
      return [{ event: context.isFlushed ? 'end' : 'cancel', context_id: id }]
    }
    const messages: StreamClientMessage[] = []
    let opened: Promise<StreamClientMessage> | undefined
    if (context === undefined) {
      if (text === '') return isMulti ? [] : [{ event: 'close' }]
      opened = openContext(id, sent)
      context = contexts.get(id)!
    }
    for (const name of ignoredOf(sent, usedOfMessage)) context.ignored.add(name)
    if (text === '' && !isMulti) {
      endCode = 1000
      return [{ event: 'end', context_id: id }]
    }
    if (text.trim() !== '') context.isFlushed = false
    // The blank of the first message only opens the context.
    if (text !== '' && (opened === undefined || text.trim() !== '')) {
      // In auto mode a message is a whole sentence, which may have no blank behind it.
      const isSentence = query.auto_mode === 'true' && /[.!?…]$/.test(text)
      messages.push({ event: 'text', context_id: id, text: isSentence ? `${text} ` : text })
    }
    if (sent.flush) {
      context.isFlushed = true
      messages.push({ event: 'flush', context_id: id })
    }
    return opened === undefined ? messages : [await opened, ...messages]
  }

  const ofContext = (id: string) => (isMulti ? { contextId: id } : {})

  /** The fields that had no effect are named once, in the next audio message. */
  const warningOf = ({ ignored }: OpenContext): object => {
    if (ignored.size === 0) return {}
    const warning = `These fields have no effect: ${[...ignored].join(', ')}.`
    ignored.clear()
    return { warning }
  }

  /** What an audio message has besides its audio, up to `untilMs`. */
  const besidesAudio = (id: string, context: OpenContext, fromMs: number, untilMs: number): object => {
    const alignment = alignmentFrom(takeBefore(context.times, untilMs), fromMs)
    return { isFinal: null, alignment, normalizedAlignment: alignment, ...warningOf(context), ...ofContext(id) }
  }

  const endContext = (id: string): object[] => {
    const context = contexts.get(id)
    if (context === undefined) return []
    contexts.delete(id)
    const rest = Buffer.from(context.encoder?.finish() ?? []).toString('base64')
    const isLeft = rest !== '' || context.times.length > 0
    const { endMs } = context
    const last = isLeft ? [{ audio: rest, ...besidesAudio(id, context, endMs, Number.POSITIVE_INFINITY) }] : []
    return [...last, { isFinal: true, ...ofContext(id) }]
  }

  return {
    alignsFirst: true,

    read(message) {
      const sent = parseRequest(streamMessageSchema, message)
      const { contextId } = message as { contextId?: string }
      return toMessages(
        sent.context_id == null && typeof contextId === 'string' ? { ...sent, context_id: contextId } : sent,
      )
    },

    write(message: StreamServerMessage, open) {
      switch (message.event) {
        case 'alignment': {
          const context = contexts.get(message.context_id)
          if (context !== undefined)
            context.segment = { text: open.textOf(message.context_id, message.segment), words: message.words }
          return []
        }
        case 'done':
        case 'cancelled':
          return endContext(message.context_id)
        case 'error': {
          const { context_id: id, detail, code } = message
          const context = id === undefined ? undefined : contexts.get(id)
          if (id !== undefined && context !== undefined && !open.isOpen(id)) {
            context.encoder?.finish()
            contexts.delete(id)
            if (!isMulti) endCode = 1008
          }
          return [{ message: detail, error: code, code, ...(id !== undefined && ofContext(id)) }]
        }
        default:
          return []
      }
    },

    audioPayload({ id }, chunk) {
      const context = contexts.get(id)!
      if (context.segment !== undefined) {
        context.times.push(...characterTimes(context.segment.text, context.segment.words, chunk.start_ms))
        context.segment = undefined
      }
      context.endMs = chunk.start_ms + chunk.duration_ms
      const rest = JSON.stringify(besidesAudio(id, context, chunk.start_ms, context.endMs))
      return base64Payload('{"audio":"', context.encoder!.encode(pcmFromBytes(chunk.data)), `",${rest.slice(1)}`)
    },

    endCode: () => endCode,
    closeCode: standardCloseCode,
    close() {
      for (const { encoder } of contexts.values()) encoder?.finish()
      contexts.clear()
    },
  }
}
