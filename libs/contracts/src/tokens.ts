import { z } from 'zod'
import { dynamicContextSchema, sessionTokenSchema } from './api/session-request.js'
import { call, contract } from './contract.js'
import { idSchema, timestampSchema, voiceIdSchema } from './primitives.js'

/** What a session token was minted for. */
export const sessionGrantSchema = z.object({
  workspace_id: idSchema,
  agent_id: idSchema,
  /** The key that minted it: what the session uses is counted under it. */
  key_id: idSchema,
  end_user_id: idSchema.nullable(),
  ...dynamicContextSchema.shape,
  expires_at: timestampSchema,
})
export type SessionGrant = z.infer<typeof sessionGrantSchema>

/** What a stream token was minted for. */
export const streamGrantSchema = z.object({
  workspace_id: idSchema,
  key_id: idSchema,
  /** The only voice it may speak with; null for any. */
  voice_id: voiceIdSchema.nullable(),
  /** Most code points it may speak in all; null for no limit of its own. */
  max_characters: z.int().positive().nullable(),
  expires_at: timestampSchema,
})
export type StreamGrant = z.infer<typeof streamGrantSchema>

/** Whatever a caller presents as one. */
const presentedSchema = z.string()

/** Only the answers that mint tokens contain them; everywhere else their SHA-256 stands for them. */
export const tokensContract = contract({
  name: 'tokens',
  version: '1.0.0',
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
    /** Looks at a token and leaves it as it is. `agent_id` is the one that a conversation is wanted with, of any shape. */
    checkSessionToken: call({
      request: z.strictObject({ token: presentedSchema, agent_id: presentedSchema }),
      reply: sessionGrantSchema,
      errors: ['unauthorized', 'session_token_expired', 'session_token_agent_mismatch', 'session_token_used'],
    }),
    /** What a token is good for, used or not, with whichever Agent. */
    readSessionToken: call({
      request: z.strictObject({ token: presentedSchema }),
      reply: sessionGrantSchema,
      errors: ['unauthorized', 'session_token_expired'],
    }),
    /** Of any number of callers with the same token exactly one is answered with its grant, ever. */
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
    /** Looks at a token and leaves it as it is, consumed or not. */
    checkStreamToken: call({
      request: z.strictObject({ token: presentedSchema }),
      reply: streamGrantSchema,
      errors: ['stream_token_invalid'],
    }),
    /** Of any number of callers with the same token exactly one is answered with its grant, ever. */
    consumeStreamToken: call({
      request: z.strictObject({ token: presentedSchema }),
      reply: streamGrantSchema,
      errors: ['stream_token_invalid'],
    }),
  },
})
