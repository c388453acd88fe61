/** The events of OpenAI's Realtime protocol (general availability). */
import { z } from 'zod'
import {
  realtimeModalitiesSchema,
  realtimeSessionSchema,
  realtimeTranscriptionSessionSchema,
} from './realtime-session.js'

const clientEvent = <Type extends string, Fields extends z.ZodRawShape>(type: Type, fields: Fields) =>
  z.strictObject({ type: z.literal(type), event_id: z.string().max(512).optional(), ...fields })

const itemId = z.string().min(1).max(64)
const text = z.string().max(32_768)
const status = z.unknown().optional()

const messageFields = { type: z.literal('message'), id: itemId.optional(), object: status, status }

const createdItemSchema = z.union([
  z.strictObject({
    ...messageFields,
    role: z.literal('user'),
    content: z
      .array(
        z.discriminatedUnion(
          'type',
          [
            z.strictObject({ type: z.literal('input_text'), text }),
            z.strictObject({ type: z.literal('input_audio'), audio: z.string(), transcript: z.string().nullish() }),
          ],
          { error: 'must be input_text or input_audio' },
        ),
      )
      .min(1)
      .max(50),
  }),
  z.strictObject({
    ...messageFields,
    role: z.literal('system'),
    content: z.array(z.strictObject({ type: z.literal('input_text'), text })).min(1),
  }),
  z.strictObject({
    ...messageFields,
    role: z.literal('assistant'),
    content: z
      .array(
        z.object({ type: z.enum(['output_text', 'output_audio']), text: text.optional(), transcript: text.nullish() }),
      )
      .min(1),
  }),
  z.strictObject({
    type: z.literal('function_call_output'),
    id: itemId.optional(),
    object: status,
    status,
    call_id: z.string().min(1).max(200),
    output: z.string().max(128 * 1024),
  }),
])
export type RealtimeCreatedItem = z.output<typeof createdItemSchema>

const inputBufferEvents = [
  clientEvent('input_audio_buffer.append', { audio: z.base64() }),
  clientEvent('input_audio_buffer.commit', {}),
  clientEvent('input_audio_buffer.clear', {}),
] as const

const unknownEvent = { error: 'is not an event that a client may send here' }

/** What the client of a conversation sends. */
export const realtimeClientEventSchema = z.discriminatedUnion(
  'type',
  [
    clientEvent('session.update', { session: realtimeSessionSchema }),
    ...inputBufferEvents,
    clientEvent('output_audio_buffer.clear', {}),
    clientEvent('conversation.item.create', { previous_item_id: z.string().nullish(), item: createdItemSchema }),
    clientEvent('conversation.item.retrieve', { item_id: itemId }),
    clientEvent('conversation.item.delete', { item_id: itemId }),
    clientEvent('conversation.item.truncate', {
      item_id: itemId,
      content_index: z.int().nonnegative(),
      audio_end_ms: z.number().nonnegative(),
    }),
    clientEvent('response.create', {
      response: z
        .strictObject({
          conversation: z.literal('auto', { error: 'must be "auto"' }).optional(),
          metadata: z.record(z.string(), z.string()).nullish(),
          instructions: text.nullish(),
          output_modalities: realtimeModalitiesSchema.optional(),
        })
        .optional(),
    }),
    clientEvent('response.cancel', { response_id: z.string().optional() }),
  ],
  unknownEvent,
)
export type RealtimeClientEvent = z.output<typeof realtimeClientEventSchema>

/** What the client of a session that recognizes speech sends. */
export const realtimeTranscriptionEventSchema = z.discriminatedUnion(
  'type',
  [clientEvent('session.update', { session: realtimeTranscriptionSessionSchema }), ...inputBufferEvents],
  unknownEvent,
)

const serverEvent = <Type extends string, Fields extends z.ZodRawShape>(type: Type, fields: Fields) =>
  z.strictObject({ type: z.literal(type), event_id: z.string(), ...fields })

const itemSchema = z
  .object({
    id: z.string(),
    object: z.literal('realtime.item'),
    type: z.enum(['message', 'function_call', 'function_call_output']),
    status: z.enum(['in_progress', 'completed', 'incomplete']),
  })
  .loose()
/** An item as it is sent. */
export type RealtimeItem = z.output<typeof itemSchema>

/** A new id of an event, an item, a response or a session. */
export const newRealtimeId = (prefix: 'event' | 'item' | 'resp' | 'sess'): string =>
  `${prefix}_${crypto.randomUUID().replaceAll('-', '').slice(0, 21)}`

/** What the user said. */
export const realtimeUserItem = (id: string, transcript: string | null): RealtimeItem => ({
  id,
  object: 'realtime.item',
  type: 'message',
  status: 'completed',
  role: 'user',
  content: [{ type: 'input_audio', transcript }],
})

const errorSchema = z.strictObject({
  type: z.string(),
  code: z.string(),
  message: z.string(),
  param: z.string().nullable(),
})
const tokens = z.record(z.string(), z.unknown())
const response = z.strictObject({
  id: z.string(),
  object: z.literal('realtime.response'),
  status: z.enum(['in_progress', 'completed', 'cancelled', 'failed']),
  status_details: z.object({ type: z.string() }).loose().nullable(),
  output: z.array(itemSchema),
  conversation_id: z.null(),
  output_modalities: realtimeModalitiesSchema,
  max_output_tokens: z.literal('inf'),
  audio: z.object({}).loose(),
  usage: z
    .strictObject({
      total_tokens: z.int(),
      input_tokens: z.int(),
      output_tokens: z.int(),
      input_token_details: tokens,
      output_token_details: tokens,
    })
    .nullable(),
  metadata: z.record(z.string(), z.string()).nullable(),
})
const session = z.object({ type: z.enum(['realtime', 'transcription']) }).loose()
const ofItem = { previous_item_id: z.string().nullable(), item: itemSchema }
const ofTranscription = { item_id: z.string(), content_index: z.literal(0) }
const ofOutputItem = { response_id: z.string(), output_index: z.int(), item: itemSchema }
const place = { response_id: z.string(), output_index: z.int(), item_id: z.string() }
const ofContent = { ...place, content_index: z.literal(0) }
const part = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('audio'), transcript: z.string() }),
  z.strictObject({ type: z.literal('text'), text: z.string() }),
])

/** What clients are sent. */
export const realtimeServerEventSchema = z.discriminatedUnion('type', [
  serverEvent('error', { error: errorSchema.extend({ event_id: z.string().nullable() }) }),
  serverEvent('session.created', { session, x_parlance_ignored: z.array(z.string()).optional() }),
  serverEvent('session.updated', { session, x_parlance_ignored: z.array(z.string()).optional() }),
  serverEvent('input_audio_buffer.speech_started', { audio_start_ms: z.number(), item_id: z.string() }),
  serverEvent('input_audio_buffer.speech_stopped', { audio_end_ms: z.number(), item_id: z.string() }),
  serverEvent('input_audio_buffer.committed', { previous_item_id: z.string().nullable(), item_id: z.string() }),
  serverEvent('input_audio_buffer.cleared', {}),
  serverEvent('output_audio_buffer.started', { response_id: z.string() }),
  serverEvent('output_audio_buffer.stopped', { response_id: z.string() }),
  serverEvent('output_audio_buffer.cleared', { response_id: z.string() }),
  serverEvent('conversation.item.added', ofItem),
  serverEvent('conversation.item.done', ofItem),
  serverEvent('conversation.item.retrieved', { item: itemSchema }),
  serverEvent('conversation.item.deleted', { item_id: z.string() }),
  serverEvent('conversation.item.truncated', {
    item_id: z.string(),
    content_index: z.int(),
    audio_end_ms: z.number(),
  }),
  serverEvent('conversation.item.input_audio_transcription.delta', { ...ofTranscription, delta: z.string() }),
  serverEvent('conversation.item.input_audio_transcription.completed', {
    ...ofTranscription,
    transcript: z.string(),
    usage: z.strictObject({ type: z.literal('duration'), seconds: z.number() }),
  }),
  serverEvent('response.created', { response }),
  serverEvent('response.done', { response }),
  serverEvent('response.output_item.added', ofOutputItem),
  serverEvent('response.output_item.done', ofOutputItem),
  serverEvent('response.content_part.added', { ...ofContent, part }),
  serverEvent('response.content_part.done', { ...ofContent, part }),
  serverEvent('response.output_text.delta', { ...ofContent, delta: z.string() }),
  serverEvent('response.output_text.done', { ...ofContent, text: z.string() }),
  serverEvent('response.output_audio.delta', { ...ofContent, delta: z.base64() }),
  serverEvent('response.output_audio.done', ofContent),
  serverEvent('response.output_audio_transcript.delta', { ...ofContent, delta: z.string() }),
  serverEvent('response.output_audio_transcript.done', { ...ofContent, transcript: z.string() }),
  serverEvent('response.function_call_arguments.delta', { ...place, call_id: z.string(), delta: z.string() }),
  serverEvent('response.function_call_arguments.done', {
    ...place,
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
  }),
])
export type RealtimeServerEvent = z.output<typeof realtimeServerEventSchema>
