import { z } from 'zod'
import { realtimeSessionSchema } from './api/realtime-session.js'
import { endReasonSchema } from './api/session-event.js'
import { sessionRequestSchema, sessionUpdateSchema } from './api/session-request.js'
import { auditActorSchema } from './audit.js'
import { call, contract, duplex, stream } from './contract.js'
import { listenedPieceSchema } from './listened-audio.js'
import { bytesSchema, idSchema } from './primitives.js'
import { startedSessionSchema } from './sessions.js'
import { sessionGrantSchema } from './tokens.js'

/**
 * `message` is one event as JSON text; `audio` is 20 ms of PCM: mono, 16 bits, 24 kHz (960 bytes). In OpenAI's Realtime protocol, audio
 * of the client has the format of the session and any length, and that of the agent is in messages.
 */
const sessionSocketChunkSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('message'), text: z.string() }),
  z.object({ kind: z.literal('audio'), data: bytesSchema }),
])
/**
 * The name of the `tool.call` with which a telephone call is transferred, with the argument `number`, before the conversation ends.
 * No tool of an Agent can have it.
 */
export const transferCallName = 'builtin:transfer_call'

export type SessionSocketChunk = z.infer<typeof sessionSocketChunkSchema>

const sessionAddress = { workspace_id: idSchema, session_id: idSchema }

/**
 * Live conversations. An instance without capacity, or one that is draining, leaves the queue group. All calls except
 * `startSession` are addressed to the instance of the conversation, which is in the registry.
 */
export const liveSessionsContract = contract({
  name: 'live-sessions',
  version: '1.3.0',
  description: 'Live conversations',
  isAddressed: true,
  methods: {
    /** Consumes the token, after all other checks have passed. */
    startSession: call({
      request: z.strictObject({
        grant: sessionGrantSchema,
        token: z.string(),
        request: sessionRequestSchema,
        /** The client speaks OpenAI's Realtime protocol, and begins with this session. */
        realtime: realtimeSessionSchema.optional(),
        /** The limit of the workspace over all its Agents; 0 for no limit. */
        max_concurrent_sessions: z.int().nonnegative().default(0),
        /** The WebSocket is that of a telephone call. */
        phone: z.boolean().default(false),
      }),
      reply: startedSessionSchema,
      errors: [
        'invalid_sdp',
        'unauthorized',
        'session_token_expired',
        'session_token_agent_mismatch',
        'session_token_used',
        'agent_not_found',
        'agent_not_published',
        'agent_not_api_ready',
        'voice_not_found',
        'insufficient_credit',
        'concurrency_limited',
        'capacity_exhausted',
        'draining',
      ],
    }),
    updateSession: call({
      request: z.strictObject({ ...sessionAddress, update: sessionUpdateSchema }),
      /** Null for candidates, an answer for an offer. */
      reply: z.object({ sdp: z.object({ type: z.literal('answer'), sdp: z.string() }).nullable() }),
      errors: ['session_not_found', 'session_ended', 'invalid_sdp'],
    }),
    /**
     * With a deadline the conversation continues until 15 s before it; then the agent may finish its current reply. The
     * reply to this call is sent at once. Without a deadline the reply is sent when the conversation has ended.
     */
    endSession: call({
      request: z.strictObject({
        ...sessionAddress,
        reason: endReasonSchema,
        deadline_ms: z.int().nonnegative().default(0),
      }),
      reply: z.object({}),
      errors: ['session_not_found', 'session_ended'],
    }),
    /**
     * The WebSocket of a client: the chunks are what the client sends (input) and what it is sent (output). The caller ends
     * its direction when the client closes the WebSocket, which ends the conversation with `user_disconnected`. A stream that
     * breaks ends it with `connection_lost`. A second stream of the same conversation ends the first.
     */
    connectClient: duplex({
      request: z.strictObject(sessionAddress),
      input: sessionSocketChunkSchema,
      output: sessionSocketChunkSchema,
      errors: ['session_not_found', 'session_ended'],
    }),
    /**
     * The audio of both sides from now on, until the conversation ends. Each call is added to the audit log before it has
     * audio.
     */
    listen: stream({
      request: z.strictObject({ ...sessionAddress, actor: auditActorSchema }),
      chunk: listenedPieceSchema,
      errors: ['session_not_found', 'session_ended', 'concurrency_limited'],
    }),
  },
})
