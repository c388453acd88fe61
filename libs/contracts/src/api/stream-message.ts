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

export const streamStartSchema = z.strictObject({
  event: z.literal('start'),
  context_id: contextId,
  /** Optional when the token has a voice. */
  voice_id: voiceIdSchema.optional(),
  tts_variant: z.string().min(1).max(64).optional(),
  language: z.string().min(2).max(35).optional(),
  output: z
    .strictObject({ format: audioFormatSchema.default('pcm_s16le'), sample_rate: z.int().positive().optional() })
    .default({ format: 'pcm_s16le' }),
  audio_frames: z.enum(['base64', 'binary']).default('base64'),
  speed: z.number().min(0.5).max(2).default(1),
  volume: z.number().min(0).max(2).default(1),
  alignment: z.array(alignmentKindSchema).max(3).default([]),
  buffering: z
    .strictObject({
      mode: z.enum(['auto', 'none']).default('auto'),
      max_delay_ms: z.number().min(0).max(10_000).default(150),
    })
    .default({ mode: 'auto', max_delay_ms: 150 }),
})
export type StreamStart = z.infer<typeof streamStartSchema>

/** The messages of a client. */
export const streamClientMessageSchema = z.discriminatedUnion('event', [
  streamStartSchema,
  z.strictObject({ event: z.literal('text'), context_id: contextId, text: z.string() }),
  z.strictObject({ event: z.literal('flush'), context_id: contextId, flush_id: z.string().max(64).optional() }),
  z.strictObject({ event: z.literal('end'), context_id: contextId }),
  z.strictObject({
    event: z.literal('cancel'),
    context_id: contextId,
    /** How much of the context's audio was played. Default: all audio that was sent and could have been played by now. */
    played_ms: z.number().nonnegative().optional(),
  }),
  z.strictObject({ event: z.literal('keepalive') }),
  z.strictObject({ event: z.literal('close') }),
])
export type StreamClientMessage = z.infer<typeof streamClientMessageSchema>

const ofContext = { context_id: z.string() }
const audioFields = {
  /** Counts the context's frames from 0. */
  seq: z.int().nonnegative(),
  segment: z.int().nonnegative(),
  /** On the context's clock, from its first sample. */
  start_ms: z.number().nonnegative(),
  duration_ms: z.number().nonnegative(),
}

/** The text messages to a client; audio may be sent as binary frames instead of `audio`. */
export const streamServerMessageSchema = z.discriminatedUnion('event', [
  z.strictObject({
    event: z.literal('ready'),
    connection_id: z.uuid(),
    request_id: z.string(),
    /** The latest time at which the server closes the connection. */
    expires_at: z.iso.datetime({ precision: 3 }),
    limits: z.record(z.string(), z.number()),
  }),
  z.strictObject({
    event: z.literal('started'),
    ...ofContext,
    /** The number of the context in binary frames, from 1. */
    context_index: z.int().positive(),
    output: audioOutputSchema,
  }),
  z.strictObject({ event: z.literal('audio'), ...ofContext, ...audioFields, data: z.base64() }),
  z.strictObject({
    event: z.literal('alignment'),
    ...ofContext,
    segment: z.int().nonnegative(),
    ...alignmentSchema.shape,
  }),
  z.strictObject({ event: z.literal('flushed'), ...ofContext, flush_id: z.string().optional() }),
  z.strictObject({
    event: z.literal('done'),
    ...ofContext,
    audio_duration_ms: z.number().nonnegative(),
    characters_billed: z.int().nonnegative(),
    /** The time from the first text that could be spoken to its first audio; null when there was no audio. */
    ttfa_ms: z.number().nonnegative().nullable(),
  }),
  z.strictObject({
    event: z.literal('cancelled'),
    ...ofContext,
    characters_billed: z.int().nonnegative(),
    text_spoken: z.string(),
    text_remaining: z.string(),
  }),
  z.strictObject({ event: z.literal('draining'), deadline_ms: z.number().nonnegative() }),
  errorBodySchema.extend({ context_id: z.string().optional() }),
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
