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
  z
    .strictObject({ event: z.literal('client.ready') })
    .meta({ description: 'The client can receive events. The Agent begins after it.' }),
  z
    .strictObject({
      event: z.literal('text.send'),
      id: z
        .uuid()
        .meta({ description: 'Becomes the id of the message. A message whose id exists already is ignored.' }),
      text: z.string().min(1).max(sessionEventLimits.text_characters),
    })
    .meta({ description: 'What the user wrote. It is answered as speech is.' }),
  z
    .strictObject({
      event: z.literal('agent.say'),
      id: z
        .uuid()
        .meta({ description: "Becomes the id of the Agent's message. A message whose id exists already is ignored." }),
      text: z.string().min(1).max(sessionEventLimits.text_characters),
    })
    .meta({ description: 'The Agent speaks this text, in place of what it is saying.' }),
  z.strictObject({ event: z.literal('user.activity') }).meta({
    description: 'The user is there without speaking: the silence that ends the conversation begins anew.',
  }),
  z.strictObject({ event: z.literal('ptt.start') }).meta({ description: 'Push-to-talk: the user begins to speak.' }),
  z
    .strictObject({ event: z.literal('ptt.commit') })
    .meta({ description: 'Push-to-talk: the user has finished; the Agent answers.' }),
  z
    .strictObject({ event: z.literal('ptt.cancel') })
    .meta({ description: 'Push-to-talk: what the user said since `ptt.start` is dropped.' }),
  z.strictObject({ event: z.literal('interrupt') }).meta({ description: 'Stops the speech of the Agent.' }),
  z
    .strictObject({
      event: z.literal('context.update'),
      text: z.string().max(sessionEventLimits.context_characters),
    })
    .meta({ description: 'What the Agent shall know, such as the page that the user sees. It causes no reply.' }),
  z
    .strictObject({
      event: z.literal('tool.result'),
      tool_call_id: z.string().min(1).max(200),
      result: z.unknown(),
      is_error: z.boolean().default(false),
    })
    .meta({ description: 'The result of a client tool, in answer to `tool.call`.' }),
  z
    .strictObject({ event: z.literal('mute'), muted: z.boolean() })
    .meta({ description: 'The user has muted the microphone, or unmuted it.' }),
  z.strictObject({ event: z.literal('ping') }).meta({ description: 'Answered by `pong`.' }),
])
export type SessionClientEvent = z.infer<typeof sessionClientEventSchema>

/** The states of the Agent in `agent.state`. */
const agentStates = ['listening', 'thinking', 'speaking'] as const
const agentStateSchema = z.enum(agentStates)
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
  z
    .strictObject({ event: z.literal('session.ready'), session_id: z.uuid() })
    .meta({ description: 'The conversation is connected.' }),
  z
    .strictObject({
      event: z.literal('transcript'),
      id: z.uuid().meta({ description: 'The id under which the message is stored.' }),
      role: z.enum(['user', 'agent']),
      text: z.string(),
      final: z.boolean(),
      interrupted: z
        .boolean()
        .optional()
        .meta({ description: 'The playback of the Agent was interrupted; the text is the part that was played.' }),
    })
    .meta({ description: 'What was said. A text that is not `final` is replaced by the next one with the same `id`.' }),
  z
    .strictObject({ event: z.literal('agent.state'), state: agentStateSchema })
    .meta({ description: 'What the Agent does now.' }),
  z
    .strictObject({
      event: z.literal('user.speech'),
      started: z.boolean(),
      recognized: z.boolean().optional().meta({
        description:
          'False with `started: false` when the speech is over and no words were recognized, so that no message follows.',
      }),
    })
    .meta({ description: 'The user began or stopped to speak.' }),
  z
    .strictObject({
      event: z.literal('alignment'),
      id: z.uuid().meta({ description: 'That of the message in `transcript`.' }),
      speech_id: z.uuid().meta({ deprecated: true, description: 'The same as `id`. It is sent until 1.0.' }),
      words: z.array(timedTextSchema).meta({ description: 'In ms from the first sample of that speech.' }),
      visemes: z.array(timedVisemeSchema),
    })
    .meta({ description: 'The times of words and mouth shapes of a part of a reply.' }),
  z
    .strictObject({
      event: z.literal('interruption'),
      id: z.uuid().meta({ description: 'That of the message in `transcript`.' }),
      transcript_id: z.uuid().meta({ deprecated: true, description: 'The same as `id`. It is sent until 1.0.' }),
      text_heard: z.string(),
    })
    .meta({ description: 'The user interrupted the Agent. `text_heard` is the part of the reply that was played.' }),
  z
    .strictObject({
      event: z.literal('tool.call'),
      tool_call_id: z.string(),
      name: z.string(),
      arguments: z.unknown(),
    })
    .meta({ description: 'The Agent calls a client tool. `tool.result` answers it.' }),
  z
    .strictObject({ event: z.literal('metrics'), ...turnMetricsSchema.shape })
    .meta({ description: 'How long the parts of the last turn took.' }),
  z
    .strictObject({ event: z.literal('session.ending'), reason: endReasonSchema, deadline_ms: ms })
    .meta({ description: 'The conversation ends at the latest after `deadline_ms`.' }),
  z
    .strictObject({
      event: z.literal('session.ended'),
      reason: endReasonSchema,
      end_reason: endReasonSchema.meta({
        deprecated: true,
        description: 'The same as `reason`. It is sent until 1.0.',
      }),
    })
    .meta({ description: 'The conversation is over.' }),
  errorBodySchema.meta({ description: 'An error. The conversation continues unless `session.ended` follows.' }),
  z.strictObject({ event: z.literal('pong') }).meta({ description: 'The answer to `ping`.' }),
])
export type SessionServerEvent = z.infer<typeof sessionServerEventSchema>
