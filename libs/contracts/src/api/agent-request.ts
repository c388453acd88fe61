import { z } from 'zod'
import { creditSchema, voiceIdSchema } from '../primitives.js'

const label = '[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?'
const name = `(${label}\\.)*[a-z]([a-z0-9-]*[a-z0-9])?`
const octet = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
const port = '([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])'

/** The form of an origin. The URL parser checks the rest: IPv6 addresses, punycode, and the default port of the scheme. */
const pattern = new RegExp(`^https?://(${name}|(${octet}\\.){3}${octet}|\\[[0-9a-f:]+\\])(:${port})?$`)

const isOrigin = (origin: string): boolean => URL.canParse(origin) && new URL(origin).origin === origin

const error = 'must be an origin such as "https://app.example.com"'

/** The origin of a page, as browsers send it. */
const originSchema = z.string().max(255).regex(pattern, { error }).refine(isOrigin, { error })

const mustBeStorable = 'must be well-formed Unicode without U+0000'

/** Text that can be stored: well-formed Unicode without U+0000, which Postgres cannot store. */
const text = (min: number, max: number) =>
  z
    .string()
    .min(min)
    .max(max)
    .regex(/^[^\u0000]*$/, { error: mustBeStorable })
    .refine((value) => value.isWellFormed(), { error: mustBeStorable })

/** The providers of language models that are called over HTTP, with the names that people see. */
export const remoteLlmProviders = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  openai_compatible: 'OpenAI-compatible server',
} as const
export type RemoteLlmProvider = keyof typeof remoteLlmProviders
export const remoteLlmProviderNames = Object.keys(remoteLlmProviders) as RemoteLlmProvider[]

/** Models are reached through these; `builtin` answers by rules and needs no account. */
export const llmProviders = ['builtin', ...remoteLlmProviderNames] as const

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const slugSchema = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{1,61}[a-z0-9])$/, {
    error: 'must be 3 to 63 lower-case letters, digits and hyphens, with no hyphen at either end',
  })
  .refine((slug) => !uuidShape.test(slug), { error: 'must not look like an id' })

/** Any JSON object of at most this many bytes. */
const maxMetadataBytes = 16 * 1024
const jsonObject = z
  .record(z.string(), z.unknown())
  .refine((value) => JSON.stringify(value).length <= maxMetadataBytes, { error: 'must be at most 16 KiB of JSON' })

const toolName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, {
  error: 'must be 1 to 64 letters, digits, underscores and hyphens, and start with a letter or an underscore',
})

const toolFields = {
  name: toolName,
  description: text(0, 1024).default(''),
  /** A JSON Schema of the arguments, which is checked when the Agent is published. */
  parameters: jsonObject.default({}),
  timeout_ms: z.int().min(100).max(60_000).default(10_000),
}

const url = z.url({ protocol: /^https?$/ }).max(2048)

/** Headers that the HTTP client and the protocol set. */
const reservedHeaders =
  /^(accept|connection|content-.*|host|keep-alive|last-event-id|mcp-.*|te|trailer|transfer-encoding|upgrade)$/i

const headersSchema = z
  .record(
    z
      .string()
      .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/, { error: 'must be the name of a header' })
      .refine((name) => !reservedHeaders.test(name), { error: 'must not be a header that Parlance sets itself' }),
    z
      .string()
      .regex(/^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/, { error: 'must be the value of a header' })
      .max(4096),
  )
  .refine((headers) => Object.keys(headers).length <= 20, { error: 'must be at most 20' })

/** What the value of a header is read as. Sent again with the same server, it keeps the value. */
export const sealedHeaderPattern = /^sealed:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** The tools that Parlance has itself. */
export const builtinToolNames = ['end_call', 'skip_turn', 'transfer_to_agent', 'transfer_call'] as const

/** E.164. */
export const phoneNumberSchema = z.string().regex(/^\+[1-9][0-9]{6,14}$/, {
  error: 'must be a telephone number such as "+4930123456"',
})

export const toolSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('client'), ...toolFields }),
  z.strictObject({ type: z.literal('webhook'), ...toolFields, url }),
  z.strictObject({
    type: z.literal('mcp'),
    name: toolName,
    url: url.meta({ description: 'The address of an MCP server that speaks Streamable HTTP.' }),
    headers: headersSchema.default({}).meta({
      description:
        'Sent to the server. Values are stored sealed and never returned: they are read as `sealed:` and an id, which keeps the ' +
        'value when it is sent again for the same server.',
    }),
    allowed_tools: z
      .array(text(1, 128))
      .max(100)
      .nullable()
      .default(null)
      .meta({ description: 'The tools of the server that the Agent may call. Null for all.' }),
  }),
  z.strictObject({
    type: z.literal('builtin'),
    name: z.enum(builtinToolNames),
    agents: z
      .array(slugSchema)
      .max(50)
      .nullable()
      .default(null)
      .meta({ description: 'The slugs of the Agents to which `transfer_to_agent` may transfer. Null for all.' }),
    numbers: z
      .array(phoneNumberSchema)
      .max(50)
      .optional()
      .meta({
        description:
          'The telephone numbers to which `transfer_call` may transfer, such as `+4930123456`. Without any, and in conversations ' +
          'that are no telephone calls, the Agent does not have the tool.',
      }),
  }),
])
export type Tool = z.infer<typeof toolSchema>

/** Each config object: every field has a default, so that a part of it can be sent. */
const voiceConfigSchema = z.strictObject({
  /** Null until one is chosen. The Agent can be used through the API once a variant is chosen and published. */
  tts_variant: z.string().min(1).max(64).nullable().default(null),
  language: z.string().min(2).max(35).nullable().default(null),
  speed: z.number().min(0.5).max(2).default(1),
  volume: z.number().min(0).max(2).default(1),
})

const llmConfigSchema = z.strictObject({
  temperature: z.number().min(0).max(2).default(0.7),
  max_output_tokens: z.int().min(1).max(32_768).default(512),
  timeout_ms: z.int().min(500).max(120_000).default(8000),
})

const sttConfigSchema = z.strictObject({ language: z.string().min(2).max(35).default('en') })

const audioConfigSchema = z.strictObject({
  /** Whether noise is removed from the user's audio before it is recognized. */
  noise_suppression: z.boolean().default(true),
})

const turnConfigSchema = z.strictObject({
  endpointing_min_ms: z.int().min(0).max(10_000).default(300).meta({ description: 'At most `endpointing_max_ms`.' }),
  endpointing_max_ms: z.int().min(0).max(30_000).default(3000),
  interruptions_enabled: z.boolean().default(true),
  interruption_min_ms: z.int().min(0).max(10_000).default(200),
  false_interruption_timeout_ms: z.int().min(0).max(30_000).default(2000),
  /** Whether a reply is prepared while the user pauses, before it is certain that the turn is over. */
  preemptive: z.boolean().default(true),
})

/** What the start of a session may set in place of the Agent's own, where the Agent allows it. */
export const overridableFields = ['system_prompt', 'first_message', 'voice_id', 'language'] as const

/** Who may start conversations without a token of a backend. */
export const publicConfigSchema = z.strictObject({
  enabled: z.boolean().default(false).meta({
    description: 'Whether pages of `origins` may mint session tokens without a key, once this is published.',
  }),
  origins: z.array(originSchema).max(50).default([]),
  per_address_per_hour: z.int().min(1).max(10_000).default(20).meta({
    description: 'Tokens that a network address may mint in an hour.',
  }),
  daily_credit: creditSchema.nullable().default(null).meta({
    description: 'What public conversations may use in a day in UTC. Required where `enabled` is true.',
  }),
})

const sessionConfigSchema = z.strictObject({
  max_duration_seconds: z.int().min(10).max(86_400).default(600),
  silence_timeout_seconds: z.int().min(5).max(3600).default(60),
  max_concurrent_sessions: z.int().min(1).max(100_000).nullable().default(null),
  /** Origins that may start a session, as browsers send them (`https://app.example.com`); empty for any. */
  allowed_origins: z.array(originSchema).max(50).default([]),
  store_transcript: z.boolean().default(true),
  overrides: z
    .array(z.enum(overridableFields))
    .max(overridableFields.length)
    .default([])
    .meta({ description: 'What the start of a session may set in its `overrides`.' }),
  public: publicConfigSchema.prefault({}),
})

/** The configuration of an Agent: the content of a revision. */
export const agentConfigSchema = z.strictObject({
  slug: slugSchema,
  display_name: text(1, 200),
  description: text(0, 2000).default(''),
  avatar_id: text(1, 200).nullable().default(null),
  voice_id: voiceIdSchema,
  voice_config: voiceConfigSchema.prefault({}),
  system_prompt: text(0, 32_768).default(''),
  first_message: text(1, 2000).nullable().default(null),
  first_message_interruptible: z.boolean().default(true),
  /** Checked when the Agent is published. */
  llm_provider: text(1, 64),
  llm_model: text(1, 200),
  llm_config: llmConfigSchema.prefault({}),
  stt_config: sttConfigSchema.prefault({}),
  audio_config: audioConfigSchema.prefault({}),
  turn_config: turnConfigSchema.prefault({}),
  session_config: sessionConfigSchema.prefault({}),
  tools: z
    .array(toolSchema)
    .max(64)
    .refine((tools) => new Set(tools.map(({ name }) => name)).size === tools.length, {
      error: 'must have different names',
    })
    .default([]),
  /** The files that the Agent answers from. One that it does not have, or that is not ready, is not used. */
  knowledge_files: z.array(z.uuid()).max(100).default([]),
  web_search_enabled: z.boolean().default(false),
  memory_enabled: z.boolean().default(false),
  calendar_enabled: z.boolean().default(false),
  metadata: jsonObject.default({}),
})
export type AgentConfig = z.output<typeof agentConfigSchema>

/**
 * The configuration that a request may set. Revisions are read with `agentConfigSchema` alone, since those from before a
 * rule of this kind must stay readable.
 */
export const agentRequestSchema = agentConfigSchema.refine(
  ({ turn_config: { endpointing_min_ms: min, endpointing_max_ms: max } }) => min <= max,
  { path: ['turn_config', 'endpointing_min_ms'], error: 'must be at most endpointing_max_ms' },
)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const configObjects = [
  'voice_config',
  'llm_config',
  'stt_config',
  'audio_config',
  'turn_config',
  'session_config',
] as const

/**
 * Applies the body of a PATCH to a configuration; the result must be parsed with `agentConfigSchema`: fields replace,
 * config objects and `metadata` merge one level deep, arrays replace, and `null` puts a field back to its default.
 */
export const mergeAgentConfig = (current: AgentConfig, patch: Record<string, unknown>): Record<string, unknown> => {
  const merged: Record<string, unknown> = { ...current }
  const put = (target: Record<string, unknown>, name: string, value: unknown) => {
    if (value === null) delete target[name]
    else target[name] = value
  }
  for (const [name, value] of Object.entries(patch)) {
    const inner = [...configObjects, 'metadata'].includes(name) && isObject(value) ? value : undefined
    if (inner === undefined) {
      put(merged, name, value)
      continue
    }
    const object: Record<string, unknown> = { ...(current[name as keyof AgentConfig] as object) }
    for (const [field, fieldValue] of Object.entries(inner)) put(object, field, fieldValue)
    merged[name] = object
  }
  return merged
}

/** The body of `POST /v1/agents/{agentId}/publish`. Without a revision the draft is published. */
export const publishRequestSchema = z.strictObject({ revision_id: z.uuid().optional() })
