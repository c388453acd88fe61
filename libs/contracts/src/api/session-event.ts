/**
 * The events of a live conversation, over the data channel `awp-events` or as text on its WebSocket.
 * Both directions are JSON objects with a discriminator `event`.
 */
import { z } from 'zod'
import { timedTextSchema, timedVisemeSchema } from '../speech.js'
import { errorBodySchema } from './error-body.js'
import { streamCloseCodes } from './stream-message.js'

/** The subprotocol of a conversation's WebSocket; its token may be offered beside it, after `streamTokenProtocolPrefix`. */
export const sessionProtocol = 'awp.session.v1'

/** The close codes of a conversation's WebSocket, besides 1000, 1001 and 1011. */
export const sessionCloseCodes = { ...streamCloseCodes, notFound: 4404, ended: 4409 } as const

/** The label of the data channel: reliable and ordered. */
export const sessionChannelLabel = 'awp-events'

/** How much a client of a conversation may send. */
export const sessionEventLimits = {
  /** The maximum size of one message, in bytes of UTF-8. */
  message_bytes: 64 * 1024,
  messages_per_second: 50,
  /** Over a WebSocket: audio in binary frames of 20 ms, which may come in short bursts. Frames beyond that are dropped. */
  audio_frames_per_second: 100,
  text_characters: 4_000,
  context_characters: 8_000,
} as const

export const sessionClientEventSchema = z.discriminatedUnion('event', [
  z.strictObject({ event: z.literal('client.ready') }),
  z.strictObject({
    event: z.literal('text.send'),
    /** Becomes the id of the message. A message whose id exists already is ignored. */
    id: z.uuid(),
    text: z.string().min(1).max(sessionEventLimits.text_characters),
  }),
  /** The Agent speaks this text, in place of what it is saying. */
  z.strictObject({
    event: z.literal('agent.say'),
    /** Becomes the id of the Agent's message. A message whose id exists already is ignored. */
    id: z.uuid(),
    text: z.string().min(1).max(sessionEventLimits.text_characters),
  }),
  /** The user is there without speaking: the silence that ends the conversation begins anew. */
  z.strictObject({ event: z.literal('user.activity') }),
  z.strictObject({ event: z.literal('ptt.start') }),
  z.strictObject({ event: z.literal('ptt.commit') }),
  z.strictObject({ event: z.literal('ptt.cancel') }),
  z.strictObject({ event: z.literal('interrupt') }),
  z.strictObject({
    event: z.literal('context.update'),
    text: z.string().max(sessionEventLimits.context_characters),
  }),
  z.strictObject({
    event: z.literal('tool.result'),
    tool_call_id: z.string().min(1).max(200),
    result: z.unknown(),
    is_error: z.boolean().default(false),
  }),
  z.strictObject({ event: z.literal('mute'), muted: z.boolean() }),
  z.strictObject({ event: z.literal('ping') }),
])
export type SessionClientEvent = z.infer<typeof sessionClientEventSchema>

/** The states of the Agent in `agent.state`. */
export const agentStates = ['listening', 'thinking', 'speaking'] as const
export const agentStateSchema = z.enum(agentStates)
export type AgentState = z.infer<typeof agentStateSchema>

/** Why a conversation ended. The last four have the status `failed`. */
export const endReasons = [
  'user_disconnected',
  'agent_ended',
  'api_ended',
  'silence_timeout',
  'max_duration',
  'connection_lost',
  'ice_failed',
  'insufficient_credit',
  'drained',
  'llm_error',
  'stt_error',
  'tts_error',
  'internal_error',
] as const
export const endReasonSchema = z.enum(endReasons)
export type EndReason = z.infer<typeof endReasonSchema>

/** Whether a conversation with this end reason has failed. */
export const isFailure = (reason: EndReason): boolean =>
  ['llm_error', 'stt_error', 'tts_error', 'internal_error'].includes(reason)

/** The end reasons of successful conversations. The others failed, or were cut off. */
export const successfulEnds: readonly EndReason[] = [
  'user_disconnected',
  'agent_ended',
  'api_ended',
  'silence_timeout',
  'max_duration',
]

const ms = z.number().nonnegative()

/** How long the parts of one turn took, in ms; null for parts that the turn did not have. */
export const turnMetricsSchema = z.object({
  /** From the end of the user's speech to the decision that the turn is over. */
  endpointing_ms: ms.nullable(),
  /** From that decision to the final transcript. */
  stt_ms: ms.nullable(),
  /** From the request to the language model to its first text. */
  llm_ttft_ms: ms.nullable(),
  /** From the first text that could be spoken to its first audio. */
  tts_ttfa_ms: ms.nullable(),
  /** From the end of the user's speech to the start of the Agent's. */
  voice_to_voice_ms: ms.nullable(),
  /** How long before the final transcript the reply was begun; null where it was not prepared. */
  prepared_ms: ms.nullable(),
  /** Whether a reply was prepared while the user paused, and whether it was used. */
  speculation: z.enum(['hit', 'miss', 'none']),
})
export type TurnMetrics = z.infer<typeof turnMetricsSchema>

export const sessionServerEventSchema = z.discriminatedUnion('event', [
  z.strictObject({ event: z.literal('session.ready'), session_id: z.uuid() }),
  z.strictObject({
    event: z.literal('transcript'),
    /** The id under which the message is stored. */
    id: z.uuid(),
    role: z.enum(['user', 'agent']),
    text: z.string(),
    final: z.boolean(),
    /** The playback of the Agent was interrupted; the text is the part that was played. */
    interrupted: z.boolean().optional(),
  }),
  z.strictObject({ event: z.literal('agent.state'), state: agentStateSchema }),
  z.strictObject({
    event: z.literal('user.speech'),
    started: z.boolean(),
    /** False with `started: false` when the speech is over and no words were recognized, so that no message follows. */
    recognized: z.boolean().optional(),
  }),
  z.strictObject({
    event: z.literal('alignment'),
    /** That of the message in `transcript`. */
    id: z.uuid(),
    /** The same as `id`. Deprecated: it is sent until 1.0. */
    speech_id: z.uuid(),
    /** In ms from the first sample of that speech. */
    words: z.array(timedTextSchema),
    visemes: z.array(timedVisemeSchema),
  }),
  z.strictObject({
    event: z.literal('interruption'),
    /** That of the message in `transcript`. */
    id: z.uuid(),
    /** The same as `id`. Deprecated: it is sent until 1.0. */
    transcript_id: z.uuid(),
    text_heard: z.string(),
  }),
  z.strictObject({
    event: z.literal('tool.call'),
    tool_call_id: z.string(),
    name: z.string(),
    arguments: z.unknown(),
  }),
  z.strictObject({ event: z.literal('metrics'), ...turnMetricsSchema.shape }),
  z.strictObject({ event: z.literal('session.ending'), reason: endReasonSchema, deadline_ms: ms }),
  z.strictObject({
    event: z.literal('session.ended'),
    reason: endReasonSchema,
    /** The same as `reason`. Deprecated: it is sent until 1.0. */
    end_reason: endReasonSchema,
  }),
  errorBodySchema,
  z.strictObject({ event: z.literal('pong') }),
])
export type SessionServerEvent = z.infer<typeof sessionServerEventSchema>
