import { z } from 'zod'
import { agentConfigSchema } from './api/agent-request.js'
import { endReasonSchema, turnMetricsSchema } from './api/session-event.js'
import { iceServerSchema, iceServersSchema } from './api/session-request.js'
import { actorField, auditActorSchema } from './audit.js'
import { timeZoneSchema } from './calendar.js'
import { avatarSchema } from './catalog.js'
import { call, contract } from './contract.js'
import { analysisSchema, evaluationSchema, judgedCriterionSchema, successCriterionSchema } from './evaluation.js'
import {
  creditSchema,
  idSchema,
  orderSchema,
  pageRequestSchema,
  storableTextSchema,
  timestampSchema,
} from './primitives.js'

/** The states of a conversation, in their order. */
const sessionStatuses = ['connecting', 'active', 'ending', 'ended', 'failed'] as const
export const sessionStatusSchema = z.enum(sessionStatuses)
export type SessionStatus = z.infer<typeof sessionStatusSchema>

const publicationReferenceSchema = z.object({ id: idSchema, version: z.int().positive() })

/** The answer of `POST /v1/agents/{agentId}/sessions`, but for the address of a WebSocket, which the gateway knows. */
export const startedSessionSchema = z.object({
  session_id: idSchema,
  agent_id: idSchema,
  publication: publicationReferenceSchema,
  status: sessionStatusSchema,
  /** Null for a conversation over a WebSocket. */
  sdp: z.object({ type: z.literal('answer'), sdp: z.string() }).nullable(),
  ice_servers: z.array(iceServerSchema),
  max_duration_seconds: z.int().positive(),
  avatar: avatarSchema.nullable(),
})
export type StartedSession = z.infer<typeof startedSessionSchema>

/** A web page that the Agent found. */
const webSourceSchema = z.object({ title: z.string().max(300), url: z.url().max(2048) })
export type WebSource = z.infer<typeof webSourceSchema>

/** A passage of the files of the Agent that its model was given. `title` is the name of the file with the page. */
const knowledgeSourceSchema = z.object({ title: z.string().max(300), file_id: idSchema, passage: z.string() })

/** A source of a message of the Agent. */
export const sourceSchema = z.union([webSourceSchema, knowledgeSourceSchema])
export type Source = z.infer<typeof sourceSchema>

export const sessionMessageSchema = z.object({
  id: idSchema,
  role: z.enum(['user', 'agent']),
  text: z.string(),
  created_at: timestampSchema,
  interrupted: z.boolean(),
  /** What the agent found for this message; absent when it found nothing. */
  sources: z.array(sourceSchema).optional(),
})
export type SessionMessage = z.infer<typeof sessionMessageSchema>

/**
 * A call of a tool, as members of the workspace see it. Its record is bounded: what is longer is cut off and ends with a
 * note.
 */
const sessionToolCallSchema = z.object({
  id: idSchema,
  /** The message of the Agent that the call belongs to. It is not in the transcript when nothing of it was played. */
  message_id: idSchema,
  name: z.string(),
  /**
   * The arguments from the model, which may not match the schema of the tool. Text when they are not JSON or were
   * truncated.
   */
  arguments: z.unknown(),
  /** The result that the model received. Null when the call was interrupted. */
  result: z.string().nullable(),
  /** It is unknown whether an interrupted call was executed. */
  outcome: z.enum(['succeeded', 'failed', 'interrupted']),
  started_at: timestampSchema,
  duration_ms: z.number().nonnegative(),
})
export type SessionToolCall = z.infer<typeof sessionToolCallSchema>

/** The result of a tool call that a member tried. */
export const toolTrialSchema = z.object({
  outcome: z.enum(['succeeded', 'failed']),
  /** The result that the model would receive: the response of the tool, or the reason why there is no response. */
  result: z.string(),
  duration_ms: z.number().nonnegative(),
})
export type ToolTrial = z.infer<typeof toolTrialSchema>

const sessionUsageSchema = z.object({
  stt_seconds: z.number().nonnegative(),
  llm_input_tokens: z.int().nonnegative(),
  llm_output_tokens: z.int().nonnegative(),
  tts_characters: z.int().nonnegative(),
})
export type SessionUsage = z.infer<typeof sessionUsageSchema>

/** What was thought of a conversation. */
export const feedbackRequestSchema = z.strictObject({
  score: z.union([z.literal(-1), z.literal(1)]),
  comment: storableTextSchema.min(1).max(2_000).optional(),
})

export const feedbackSchema = z.object({
  score: z.union([z.literal(-1), z.literal(1)]),
  comment: z.string().nullable(),
  created_at: timestampSchema,
})

const percentilesSchema = z.object({ p50: z.number().nonnegative(), p95: z.number().nonnegative() })

/** A conversation as lists show it: its record without the messages. */
export const sessionSummarySchema = z.object({
  id: idSchema,
  agent_id: idSchema,
  publication: publicationReferenceSchema,
  end_user_id: idSchema.nullable(),
  status: sessionStatusSchema,
  /** `phone` for a telephone call. */
  transport: z.enum(['webrtc', 'websocket', 'phone']),
  input_mode: z.enum(['push-to-talk', 'automatic']),
  created_at: timestampSchema,
  /** When the client was ready; null until then. */
  started_at: timestampSchema.nullable(),
  ended_at: timestampSchema.nullable(),
  duration_seconds: z.number().nonnegative(),
  end_reason: endReasonSchema.nullable(),
  /** The error of a failed conversation. */
  error: z.object({ code: z.string(), detail: z.string() }).nullable(),
  usage: sessionUsageSchema,
  credit_used: creditSchema,
  /** Null before the first turn. */
  latency: z.object({ voice_to_voice_ms: percentilesSchema }).nullable(),
  /** Null until it is given. */
  feedback: feedbackSchema.nullable(),
  metadata: z.record(z.string(), z.unknown()),
})
export type SessionSummary = z.infer<typeof sessionSummarySchema>

export const sessionRecordSchema = sessionSummarySchema.extend({ transcript: z.array(sessionMessageSchema) })
export type SessionRecord = z.infer<typeof sessionRecordSchema>

/** A conversation without the messages that are final. */
export const sessionProgressSchema = z.object({
  session: sessionSummarySchema,
  /** How many messages are final. */
  final_messages: z.int().nonnegative(),
  /** The message that the Agent speaks now, as far as it was played; null when there is none. */
  in_progress: sessionMessageSchema.nullable(),
})

/** Statistics of the conversations of a period. Live ones are counted only in `conversations`. */
const conversationFiguresSchema = z.object({
  conversations: z.int().nonnegative(),
  /** How many of them have ended. */
  ended: z.int().nonnegative(),
  /** How many of those succeeded: they ended without an error, a lost connection, a lack of credit or a stop of the server. */
  succeeded: z.int().nonnegative(),
  /** The percentiles over all turns; null when no turn was measured. */
  voice_to_voice_ms: percentilesSchema.nullable(),
})

/** The conversations that were created in a period, as a whole and by day in UTC. Days without one are left out. */
export const sessionOverviewSchema = z.object({
  total: conversationFiguresSchema,
  days: z.array(conversationFiguresSchema.extend({ day: z.iso.date() })),
})
export type SessionOverview = z.infer<typeof sessionOverviewSchema>

const agentAddress = { workspace_id: idSchema, agent_id: idSchema }
const sessionAddress = { workspace_id: idSchema, session_id: idSchema }

/** The records of conversations. Any instance answers, however many conversations it holds. */
export const sessionsContract = contract({
  name: 'sessions',
  version: '1.4.0',
  description: 'Records of conversations, live and past',
  methods: {
    getSession: call({
      request: z.strictObject(sessionAddress),
      reply: sessionRecordSchema,
      errors: ['session_not_found'],
    }),
    listSessions: call({
      request: z.strictObject({
        workspace_id: idSchema,
        ...pageRequestSchema.shape,
        order: orderSchema.default('desc'),
        agent_id: idSchema.optional(),
        end_user_id: idSchema.optional(),
        status: sessionStatusSchema.optional(),
        end_reason: endReasonSchema.optional(),
        /** In a message, in any case. The transcripts of the workspace are read for it. */
        text: storableTextSchema.min(1).max(200).optional(),
        started_after: timestampSchema.optional(),
        started_before: timestampSchema.optional(),
      }),
      reply: z.object({ sessions: z.array(sessionSummarySchema), next_cursor: z.string().nullable() }),
      errors: ['invalid_request'],
    }),
    /** Of the conversations that were created since `from`. */
    getOverview: call({
      request: z.strictObject({ workspace_id: idSchema, from: timestampSchema }),
      reply: sessionOverviewSchema,
    }),
    listMessages: call({
      request: z.strictObject({ ...sessionAddress, ...pageRequestSchema.shape, order: orderSchema.default('asc') }),
      reply: z.object({ messages: z.array(sessionMessageSchema), next_cursor: z.string().nullable() }),
      errors: ['session_not_found', 'invalid_request'],
    }),
    /** In their order. The n-th turn answers the n-th message of the user. */
    listTurns: call({
      request: z.strictObject({ ...sessionAddress, ...pageRequestSchema.shape }),
      reply: z.object({ turns: z.array(turnMetricsSchema), next_cursor: z.string().nullable() }),
      errors: ['session_not_found', 'invalid_request'],
    }),
    /** In the order in which they ended. */
    listToolCalls: call({
      request: z.strictObject({ ...sessionAddress, ...pageRequestSchema.shape }),
      reply: z.object({ tool_calls: z.array(sessionToolCallSchema), next_cursor: z.string().nullable() }),
      errors: ['session_not_found', 'invalid_request'],
    }),
    /** Null when there are no criteria and no data points, or no message of the user is stored. */
    getAnalysis: call({
      request: z.strictObject(sessionAddress),
      reply: z.object({ analysis: analysisSchema.nullable() }),
      errors: ['session_not_found'],
    }),
    /** Without criteria and data points for an Agent for which none were stored. */
    getEvaluation: call({ request: z.strictObject(agentAddress), reply: evaluationSchema }),
    /** For conversations that end from now on. */
    putEvaluation: call({
      request: z.strictObject({ ...agentAddress, evaluation: evaluationSchema }),
      reply: evaluationSchema,
    }),
    /**
     * Judges a conversation that has ended by its Agent's model, for a test of the Agent. Nothing is stored but the tokens that it
     * used. `invalid_request` says why it cannot be judged.
     */
    judge: call({
      request: z.strictObject({ ...sessionAddress, criteria: z.array(successCriterionSchema).min(1).max(20) }),
      reply: z.object({ criteria: z.array(judgedCriterionSchema) }),
      errors: ['session_not_found', 'invalid_request', 'unavailable'],
    }),
    /** Calls a tool of this configuration outside of a conversation. Failures of the tool are results. */
    tryTool: call({
      request: z.strictObject({
        ...agentAddress,
        /** The end user of the call: the person who tries the tool. */
        person_id: idSchema,
        config: agentConfigSchema,
        name: z.string(),
        arguments: z.record(z.string(), z.unknown()),
        /** Where the person is. */
        time_zone: timeZoneSchema.default('UTC'),
        /**
         * Whether the person has agreed to what the tool proposes, such as an appointment. Without agreement it is only
         * proposed.
         */
        confirmed: z.boolean().default(false),
      }),
      reply: toolTrialSchema,
    }),
    /**
     * Removes the record, the messages and the recording, whose removal is in the audit log. A live conversation is ended
     * first.
     */
    deleteSession: call({
      request: z.strictObject({ ...sessionAddress, ...actorField }),
      reply: z.object({}),
      errors: ['session_not_found'],
    }),
    /** The progress of a conversation: small, so that a page may request it every second while the conversation is live. */
    getProgress: call({
      request: z.strictObject(sessionAddress),
      reply: sessionProgressSchema,
      errors: ['session_not_found'],
    }),
    /** Ends a live conversation with `api_ended`, and adds that to the audit log. The record stays. */
    endSession: call({
      request: z.strictObject({ ...sessionAddress, actor: auditActorSchema }),
      reply: z.object({}),
      errors: ['session_not_found', 'session_ended'],
    }),
    /** Live or ended. Replaces earlier feedback. */
    giveFeedback: call({
      request: z.strictObject({ ...sessionAddress, ...feedbackRequestSchema.shape }),
      reply: feedbackSchema,
      errors: ['session_not_found'],
    }),
    /** The instance that holds a live conversation, for calls of `liveSessionsContract`. */
    findInstance: call({
      request: z.strictObject(sessionAddress),
      reply: z.object({ instance_id: z.string() }),
      errors: ['session_not_found', 'session_ended'],
    }),
    getIceServers: call({ request: z.strictObject({}), reply: iceServersSchema }),
  },
})
