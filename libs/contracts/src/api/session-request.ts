import { z } from 'zod'
import { creditSchema, voiceIdSchema } from '../primitives.js'

/** The body of `POST /v1/agents/{agentId}/session-tokens`. */
export const sessionTokenRequestSchema = z.strictObject({
  /** A stable UUID of the user in the caller's own system. */
  end_user_id: z.uuid().optional(),
})

/** The body of `POST /v1/tts/stream-tokens`. */
export const streamTokenRequestSchema = z.strictObject({
  voice_id: voiceIdSchema.optional(),
  max_characters: z.int().min(1).max(10_000_000).optional(),
})

export const sessionTokenSchema = z.object({
  token: z.string(),
  expires_at: z.iso.datetime({ precision: 3 }),
  agent_id: z.uuid(),
  capabilities: z.object({ managed_voice_agent: z.boolean(), transport: z.string() }),
})

export const streamTokenSchema = z.object({
  token: z.string(),
  expires_at: z.iso.datetime({ precision: 3 }),
  websocket_url: z.string(),
  protocol: z.literal('awp.tts.v1'),
})

/** The body of `POST /v1/agents/{agentId}/sessions`. */
export const sessionRequestSchema = z
  .strictObject({
    transport: z.enum(['webrtc', 'websocket']).default('webrtc'),
    sdp: z.strictObject({ type: z.literal('offer'), sdp: z.string().min(1).max(65_536) }).optional(),
    input_mode: z.enum(['push-to-talk', 'automatic']).default('push-to-talk'),
    modalities: z
      .array(z.enum(['audio', 'text']))
      .min(1)
      .max(2)
      .default(['audio', 'text']),
    client: z.strictObject({ name: z.string().max(100), version: z.string().max(50) }).optional(),
    metadata: z.record(z.string().max(64), z.unknown()).default({}),
  })
  .refine(({ transport, sdp }) => transport !== 'webrtc' || sdp !== undefined, {
    path: ['sdp'],
    error: 'is required for the transport webrtc',
  })

/** The answer of `GET /v1/credit`: `balance` is all that is not spent, `reserved` the part of it that work holds now. */
export const creditBalanceSchema = z.object({
  balance: creditSchema,
  unit: z.literal('credit'),
  reserved: creditSchema,
  updated_at: z.iso.datetime({ precision: 3 }),
})
