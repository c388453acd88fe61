import { z } from 'zod'
import { voiceIdSchema } from '../primitives.js'
import { alignmentKindSchema, alignmentSchema, audioFormatSchema, audioOutputSchema } from '../speech.js'
import { errorBodySchema } from './error-body.js'

/** The subprotocol of `/v1/tts/stream`; a token may be offered beside it, after `streamTokenProtocolPrefix`. */
export const streamProtocol = 'awp.tts.v1'
/** A subprotocol with this prefix carries a token, for browsers, which cannot set headers on a WebSocket. */
export const streamTokenProtocolPrefix = 'awp.token.'

/** The limits of a connection, as `ready` announces them. Characters are code points. */
export const streamLimits = {
  contexts: 10,
  context_id_characters: 64,
  text_characters: 4_000,
  buffered_characters: 8_000,
  context_characters: 20_000,
  frame_bytes: 64 * 1024,
  messages_per_second: 200,
  inactivity_timeout_seconds: 60,
  auto_flush_ms: 3_000,
  life_seconds: 3_600,
} as const

const contextId = z.string().min(1).max(streamLimits.context_id_characters).default('default')

const streamStartSchema = z
  .strictObject({
    event: z.literal('start'),
    context_id: contextId,
    voice_id: voiceIdSchema.optional().meta({ description: 'Optional when the token has a voice.' }),
    tts_variant: z.string().min(1).max(64).optional(),
    language: z.string().min(2).max(35).optional(),
    output: z
      .strictObject({ format: audioFormatSchema.default('pcm_s16le'), sample_rate: z.int().positive().optional() })
      .default({ format: 'pcm_s16le' }),
    audio_frames: z.enum(['base64', 'binary']).default('base64').meta({
      description: '`binary` sends audio in binary frames instead of `audio` messages.',
    }),
    speed: z.number().min(0.5).max(2).default(1),
    volume: z.number().min(0).max(2).default(1),
    alignment: z.array(alignmentKindSchema).max(3).default([]),
    buffering: z
      .strictObject({
        mode: z.enum(['auto', 'none']).default('auto'),
        max_delay_ms: z.number().min(0).max(10_000).default(150),
      })
      .default({ mode: 'auto', max_delay_ms: 150 })
      .meta({
        description:
          '`auto` joins the parts and speaks sentences; the first speech may begin within a sentence, once text has waited for ' +
          '`max_delay_ms`. `none` speaks each `text` as it is.',
      }),
  })
  .meta({ description: 'Opens a context: one text in one voice. `started` answers it, or an `error`.' })
export type StreamStart = z.infer<typeof streamStartSchema>

/** The messages of a client. */
export const streamClientMessageSchema = z.discriminatedUnion('event', [
  streamStartSchema,
  z
    .strictObject({ event: z.literal('text'), context_id: contextId, text: z.string() })
    .meta({ description: 'A part of the text, such as a token of a language model. Parts are joined as they are.' }),
  z
    .strictObject({ event: z.literal('flush'), context_id: contextId, flush_id: z.string().max(64).optional() })
    .meta({ description: 'Speaks the text so far without waiting for more. `flushed` follows its audio.' }),
  z
    .strictObject({ event: z.literal('end'), context_id: contextId })
    .meta({ description: 'The text is complete. `done` follows its audio.' }),
  z
    .strictObject({
      event: z.literal('cancel'),
      context_id: contextId,
      played_ms: z.number().nonnegative().optional().meta({
        description:
          "How much of the context's audio was played. Default: all audio that was sent and could have been played by now.",
      }),
    })
    .meta({ description: 'Stops the context at once. No audio of it follows `cancelled`.' }),
  z.strictObject({ event: z.literal('keepalive') }).meta({ description: 'Restarts the inactivity timeout.' }),
  z.strictObject({ event: z.literal('close') }).meta({ description: 'Closes the connection with 1000.' }),
])
export type StreamClientMessage = z.infer<typeof streamClientMessageSchema>

const ofContext = { context_id: z.string() }
const audioFields = {
  seq: z.int().nonnegative().meta({ description: "Counts the context's frames from 0." }),
  segment: z.int().nonnegative(),
  start_ms: z.number().nonnegative().meta({ description: "On the context's clock, from its first sample." }),
  duration_ms: z.number().nonnegative(),
}

/** The fields of the first message on a connection for a stream, of speech or of audio. */
export const readyFields = {
  event: z.literal('ready'),
  connection_id: z.uuid(),
  request_id: z.string(),
  expires_at: z.iso
    .datetime({ precision: 3 })
    .meta({ description: 'The latest time at which the server closes the connection.' }),
  limits: z.record(z.string(), z.number()),
}

/** The text messages to a client; audio may be sent as binary frames instead of `audio`. */
export const streamServerMessageSchema = z.discriminatedUnion('event', [
  z.strictObject(readyFields).meta({ description: 'The first message: contexts may be started.' }),
  z
    .strictObject({
      event: z.literal('started'),
      ...ofContext,
      context_index: z.int().positive().meta({ description: 'The number of the context in binary frames, from 1.' }),
      output: audioOutputSchema,
    })
    .meta({ description: 'The context is open, and its audio will have this form.' }),
  z
    .strictObject({ event: z.literal('audio'), ...ofContext, ...audioFields, data: z.base64() })
    .meta({ description: 'Audio in base64, for contexts with `audio_frames` `base64`.' }),
  z
    .strictObject({
      event: z.literal('alignment'),
      ...ofContext,
      segment: z.int().nonnegative(),
      ...alignmentSchema.shape,
    })
    .meta({ description: "The requested times of a segment, in ms on the context's clock." }),
  z
    .strictObject({ event: z.literal('flushed'), ...ofContext, flush_id: z.string().optional() })
    .meta({ description: 'All audio of the text before the `flush` was sent.' }),
  z
    .strictObject({
      event: z.literal('done'),
      ...ofContext,
      audio_duration_ms: z.number().nonnegative(),
      characters_billed: z.int().nonnegative(),
      ttfa_ms: z.number().nonnegative().nullable().meta({
        description:
          'The time from the first text that could be spoken to its first audio; null when there was no audio.',
      }),
    })
    .meta({ description: 'The context has ended: all its audio was sent.' }),
  z
    .strictObject({
      event: z.literal('cancelled'),
      ...ofContext,
      characters_billed: z.int().nonnegative(),
      text_spoken: z.string(),
      text_remaining: z.string(),
    })
    .meta({ description: 'The context has ended: it was cancelled. `text_spoken` is the part that was played.' }),
  z
    .strictObject({ event: z.literal('draining'), deadline_ms: z.number().nonnegative() })
    .meta({ description: 'The server stops within this time. Contexts are finished, and none can be started.' }),
  errorBodySchema.extend({ context_id: z.string().optional() }).meta({
    description: 'An error. With a `context_id` it concerns that context alone, and the connection stays open.',
  }),
])
export type StreamServerMessage = z.infer<typeof streamServerMessageSchema>

/** The close codes of a connection, besides 1000 (requested, or expired) and 1001 (the server stops). */
export const streamCloseCodes = {
  tokenInvalid: 4401,
  insufficientCredit: 4402,
  forbidden: 4403,
  timedOut: 4408,
  rateLimited: 4429,
} as const

/**
 * The header of a binary frame, big-endian: version (u8, 1), kind (u8, 1 for audio), context_index
 * (u16), seq (u32), start_ms (u32).
 */
export const streamFrameHeaderBytes = 12
