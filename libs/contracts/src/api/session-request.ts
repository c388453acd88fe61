import { z } from 'zod'
import { creditSchema, voiceIdSchema } from '../primitives.js'
import { agentConfigSchema, type overridableFields } from './agent-request.js'

const jsonBytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length
const isAtMost = (kibibytes: number) => (value: unknown) => jsonBytes(value) <= kibibytes * 1024
const orTooLarge = (kibibytes: number) => ({ error: `must be at most ${kibibytes} KiB of JSON` })

/** The maximum length of a key in `metadata`. */
export const maxMetadataKeyCharacters = 64

const metadataSchema = (kibibytes: number) =>
  z.record(z.string().max(maxMetadataKeyCharacters), z.unknown()).refine(isAtMost(kibibytes), orTooLarge(kibibytes))

/** A token is stored until it expires, and its context is read with every turn. */
const contextKibibytes = 4

/** Names of variables in an Agent's texts. */
export const variableNamePattern = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/
/** Variables of one conversation. */
export const maxVariables = 50

/**
 * The data about its user that a backend passes to a conversation, in the token: neither the browser nor the user can change
 * it.
 */
export const dynamicContextSchema = z.object({
  /** Take the place of `{{name}}` in the Agent's system prompt and first message. */
  variables: z
    .record(
      z.string().regex(variableNamePattern, { error: 'must be letters, digits and underscores' }),
      z.string().max(2_000),
    )
    .refine((value) => Object.keys(value).length <= maxVariables, { error: `must be at most ${maxVariables}` })
    .refine(isAtMost(contextKibibytes), orTooLarge(contextKibibytes))
    .default({}),
  /** Passed to the model unchanged. */
  metadata: metadataSchema(contextKibibytes).default({}),
})
export type DynamicContext = z.output<typeof dynamicContextSchema>

/** The body of `POST /v1/agents/{agentId}/session-tokens`. */
export const sessionTokenRequestSchema = z.strictObject({
  /** A stable UUID of the user in the caller's own system. */
  end_user_id: z.uuid().optional(),
  ...dynamicContextSchema.shape,
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

/** The body of `POST /v1/listen/tokens`, which has no fields. */
export const listenTokenRequestSchema = z.strictObject({})

export const listenTokenSchema = z.object({
  token: z.string(),
  expires_at: z.iso.datetime({ precision: 3 }),
  websocket_url: z.string(),
  protocol: z.literal('awp.stt.v1'),
})

/** What a conversation has in place of the Agent's own. */
const overridesSchema = z.strictObject({
  system_prompt: agentConfigSchema.shape.system_prompt.unwrap().optional(),
  first_message: agentConfigSchema.shape.first_message.unwrap().optional(),
  voice_id: voiceIdSchema.optional(),
  language: z.string().min(2).max(35).optional().meta({
    description: 'A BCP 47 tag: the language of the user and of the voice, which must speak it.',
  }),
} satisfies Record<(typeof overridableFields)[number], z.ZodType>)
export type SessionOverrides = z.output<typeof overridesSchema>

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
      .refine((modalities) => new Set(modalities).size === modalities.length, { error: 'must be different' })
      .default(['audio', 'text'])
      .meta({ description: 'With `text` alone nothing is spoken: the user types, and the Agent answers in text.' }),
    client: z
      .strictObject({
        name: z.string().max(100),
        version: z.string().max(50),
        time_zone: z.string().max(100).optional().meta({ description: 'An IANA name, such as Europe/Berlin.' }),
      })
      .optional(),
    overrides: overridesSchema.default({}).meta({
      description: 'Only what the Agent allows in `session_config.overrides`.',
    }),
    /** Data of the caller that is stored in the record. */
    metadata: metadataSchema(16).default({}),
  })
  .refine(({ transport, sdp }) => transport !== 'webrtc' || sdp !== undefined, {
    path: ['sdp'],
    error: 'is required for the transport webrtc',
  })
export type SessionRequest = z.output<typeof sessionRequestSchema>

export const iceServerSchema = z.object({
  urls: z.array(z.string()).min(1),
  username: z.string().optional(),
  credential: z.string().optional(),
})
export type IceServer = z.infer<typeof iceServerSchema>

/** The response of `GET /v1/ice-servers`. */
export const iceServersSchema = z.object({
  ice_servers: z.array(iceServerSchema),
  /** How long their credentials are valid. */
  ttl_seconds: z.int().positive(),
})

/** The body of `PATCH /v1/agents/{agentId}/sessions/{sessionId}`: late ICE candidates, or the offer of another connection. */
export const sessionUpdateSchema = z
  .strictObject({
    candidates: z
      .array(
        z.strictObject({
          candidate: z.string().max(1_000),
          sdpMid: z.string().max(64).nullable().optional(),
          sdpMLineIndex: z.int().min(0).max(64).nullable().optional(),
          usernameFragment: z.string().max(256).nullable().optional(),
        }),
      )
      .max(50)
      .optional(),
    sdp: z.strictObject({ type: z.literal('offer'), sdp: z.string().min(1).max(65_536) }).optional(),
  })
  .refine(({ candidates, sdp }) => (candidates === undefined) !== (sdp === undefined), {
    error: 'needs candidates or sdp, and not both',
  })
export type SessionUpdate = z.infer<typeof sessionUpdateSchema>

/**
 * The response of `GET /v1/credit`: `balance` is the credit that is not spent, `reserved` the part of it that running work has
 * reserved.
 */
export const creditBalanceSchema = z.object({
  balance: creditSchema,
  unit: z.literal('credit'),
  reserved: creditSchema,
  updated_at: z.iso.datetime({ precision: 3 }),
})
