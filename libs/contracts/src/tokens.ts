import { z } from 'zod'
import { realtimeSessionSchema, realtimeTranscriptionSessionSchema } from './api/realtime-session.js'
import { dynamicContextSchema, sessionTokenSchema } from './api/session-request.js'
import { call, contract } from './contract.js'
import { idSchema, timestampSchema, voiceIdSchema } from './primitives.js'

/** What a session token was minted for. */
export const sessionGrantSchema = z.object({
  workspace_id: idSchema,
  agent_id: idSchema,
  /** The key that minted the token. The usage of the session is attributed to it. */
  key_id: idSchema,
  end_user_id: idSchema.nullable(),
  ...dynamicContextSchema.shape,
  /** The conversation runs on the draft of the Agent, for a member who tries it. */
  draft: z.literal(true).optional(),
  /** A page minted it for a visitor, without a key of the workspace. `key_id` is then the id of the Agent. */
  public: z.literal(true).optional(),
  /** A client secret of OpenAI's Realtime protocol: the session that it starts. */
  realtime: realtimeSessionSchema.optional(),
  expires_at: timestampSchema,
})
export type SessionGrant = z.infer<typeof sessionGrantSchema>

/** What a stream token was minted for. */
export const streamGrantSchema = z.object({
  workspace_id: idSchema,
  key_id: idSchema,
  /** The only voice that may be used; null for any. */
  voice_id: voiceIdSchema.nullable(),
  /** The maximum number of code points that may be spoken in total; null for no limit. */
  max_characters: z.int().positive().nullable(),
  expires_at: timestampSchema,
})
export type StreamGrant = z.infer<typeof streamGrantSchema>

/** What a listen token was minted for. */
export const listenGrantSchema = z.object({
  workspace_id: idSchema,
  key_id: idSchema,
  /** A client secret of OpenAI's Realtime protocol: the session that it starts. */
  realtime: realtimeTranscriptionSessionSchema.optional(),
  expires_at: timestampSchema,
})
export type ListenGrant = z.infer<typeof listenGrantSchema>

/** Any string that a caller presents as a token. */
const presentedSchema = z.string()

/** A new token. Only the replies that mint tokens contain them; their SHA-256 is used everywhere else. */
export const tokensContract = contract({
  name: 'tokens',
  version: '1.5.0',
  description: 'Short-lived tokens: each starts one conversation or one stream',
  methods: {
    /** The checks in the order of the error codes. */
    mintSessionToken: call({
      request: z.strictObject({
        workspace_id: idSchema,
        key_id: idSchema,
        agent_id: idSchema,
        end_user_id: idSchema.nullable(),
        ...dynamicContextSchema.shape,
        public: z.literal(true).optional(),
        realtime: realtimeSessionSchema.optional(),
        /** Default: 15 minutes. */
        valid_for_seconds: z.int().min(10).max(7_200).optional(),
      }),
      reply: sessionTokenSchema,
      errors: [
        'agent_not_found',
        'agent_not_published',
        'agent_not_api_ready',
        'memory_identity_required',
        'insufficient_credit',
      ],
    }),
    /** For a conversation with the draft of an Agent, which must be valid for publishing. */
    mintDraftSessionToken: call({
      request: z.strictObject({
        workspace_id: idSchema,
        key_id: idSchema,
        agent_id: idSchema,
        end_user_id: idSchema,
        ...dynamicContextSchema.shape,
      }),
      reply: sessionTokenSchema,
      errors: ['agent_not_found', 'agent_not_publishable', 'agent_not_api_ready', 'insufficient_credit'],
    }),
    /** Checks a token without consuming it. `agent_id` is the requested Agent and may be any string. */
    checkSessionToken: call({
      request: z.strictObject({ token: presentedSchema, agent_id: presentedSchema }),
      reply: sessionGrantSchema,
      errors: ['unauthorized', 'session_token_expired', 'session_token_agent_mismatch', 'session_token_used'],
    }),
    /** What a token was minted for, consumed or not, for any Agent. */
    readSessionToken: call({
      request: z.strictObject({ token: presentedSchema }),
      reply: sessionGrantSchema,
      errors: ['unauthorized', 'session_token_expired'],
    }),
    /** Consumes a token. Exactly one call for each token ever succeeds. */
    consumeSessionToken: call({
      request: z.strictObject({ token: presentedSchema, agent_id: presentedSchema }),
      reply: sessionGrantSchema,
      errors: ['unauthorized', 'session_token_expired', 'session_token_agent_mismatch', 'session_token_used'],
    }),
    mintStreamToken: call({
      request: z.strictObject({
        workspace_id: idSchema,
        key_id: idSchema,
        voice_id: voiceIdSchema.nullable(),
        max_characters: z.int().positive().nullable(),
      }),
      reply: z.object({ token: z.string(), expires_at: timestampSchema }),
      errors: ['insufficient_credit'],
    }),
    /** Checks a token without consuming it, also when it was consumed before. */
    checkStreamToken: call({
      request: z.strictObject({ token: presentedSchema }),
      reply: streamGrantSchema,
      errors: ['stream_token_invalid'],
    }),
    /** Consumes a token. Exactly one call for each token ever succeeds. */
    consumeStreamToken: call({
      request: z.strictObject({ token: presentedSchema }),
      reply: streamGrantSchema,
      errors: ['stream_token_invalid'],
    }),
    mintListenToken: call({
      request: z.strictObject({
        workspace_id: idSchema,
        key_id: idSchema,
        realtime: realtimeTranscriptionSessionSchema.optional(),
        /** Default: 2 minutes. */
        valid_for_seconds: z.int().min(10).max(7_200).optional(),
      }),
      reply: z.object({ token: z.string(), expires_at: timestampSchema }),
      errors: ['insufficient_credit'],
    }),
    /** Checks a token without consuming it, also when it was consumed before. */
    checkListenToken: call({
      request: z.strictObject({ token: presentedSchema }),
      reply: listenGrantSchema,
      errors: ['stream_token_invalid'],
    }),
    /** Consumes a token. Exactly one call for each token ever succeeds. */
    consumeListenToken: call({
      request: z.strictObject({ token: presentedSchema }),
      reply: listenGrantSchema,
      errors: ['stream_token_invalid'],
    }),
  },
})
