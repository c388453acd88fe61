import { z } from 'zod'
import { remoteLlmProviderNames } from './api/agent-request.js'
import { auditActorSchema } from './audit.js'
import { call, contract } from './contract.js'
import { idSchema, storableTextSchema, timestampSchema } from './primitives.js'

/** The protocols of the providers that a workspace can add. */
const modelProviderKindSchema = z.enum(remoteLlmProviderNames)

/** A provider of language models that a workspace has added. Its key is stored and never shown. */
export const modelProviderSchema = z.object({
  /** The `llm_provider` of the Agents that use it. */
  id: idSchema,
  kind: modelProviderKindSchema,
  name: storableTextSchema.min(1).max(100),
  /** The URL before `/chat/completions`; null except for compatible servers. */
  url: z.string().nullable(),
  has_key: z.boolean(),
  created_at: timestampSchema,
})
export type ModelProvider = z.infer<typeof modelProviderSchema>

export const newModelProviderSchema = z
  .strictObject({
    kind: modelProviderKindSchema,
    name: modelProviderSchema.shape.name,
    url: z
      .url({ protocol: /^https?$/ })
      .max(2_048)
      .optional(),
    /** The characters that a header may contain. */
    key: z
      .string()
      .trim()
      .max(1_000)
      .regex(/^[\x21-\x7e]+$/, { error: 'must have no spaces' })
      .optional(),
  })
  .refine(({ kind, url }) => (kind === 'openai_compatible') === (url !== undefined), {
    path: ['url'],
    error: 'is required for openai_compatible, and for that alone',
  })
  .refine(({ kind, key }) => kind === 'openai_compatible' || key !== undefined, {
    path: ['key'],
    error: 'is required for this kind',
  })

/**
 * A provider for the service that calls it. The key is sealed for this workspace and this id; null for a server without
 * one.
 */
const sealedModelProviderSchema = modelProviderSchema
  .pick({ id: true, kind: true, url: true })
  .extend({ sealed_key: z.string().nullable() })
export type SealedModelProvider = z.infer<typeof sealedModelProviderSchema>

/** How a provider answered a short request. */
export const modelProviderTestSchema = z.object({
  ok: z.boolean(),
  /** The reason of a failure, for people; empty without one. */
  detail: z.string(),
  /** The time to the first text; null when there was none. */
  first_text_ms: z.number().nonnegative().nullable(),
})
export type ModelProviderTest = z.infer<typeof modelProviderTestSchema>

/** Whether a provider accepts its key, and its models. */
export const modelListSchema = z.object({
  ok: z.boolean(),
  /** The reason of a failure, for people; empty without one. */
  detail: z.string(),
  /** The most suitable for a conversation first. Empty where the server has no list. */
  models: z.array(z.string()),
})
export type ModelList = z.infer<typeof modelListSchema>

/** The language models that are available without a provider of the workspace. */
export const modelServersSchema = z.object({
  /** Servers on this machine, or where the operator looks for them. Agents use them once a provider with `url` is added. */
  found: z.array(z.object({ name: z.string(), url: z.string(), models: z.array(z.string()) })),
  /** The `llm_provider`s that the operator has set up, with their models. */
  configured: z.array(z.object({ provider: modelProviderKindSchema, models: z.array(z.string()) })),
})
export type ModelServers = z.infer<typeof modelServersSchema>

/** Whether `llm_provider` of an Agent names a provider of its workspace, and not one of the environment. */
export const isProviderOfWorkspace = (llmProvider: string): boolean => idSchema.safeParse(llmProvider).success

const modelSchema = z.string().min(1).max(200)
const providerAddress = { workspace_id: idSchema, provider_id: idSchema }

/** The maximum number of providers of a workspace. */
export const maxModelProviders = 50

/** A provider of another workspace is `not_found`, like one that does not exist. */
export const modelProvidersContract = contract({
  name: 'model-providers',
  version: '1.1.0',
  description: 'Providers of language models that workspaces have added',
  methods: {
    /** Oldest first. */
    listProviders: call({
      request: z.strictObject({ workspace_id: idSchema }),
      reply: z.object({ providers: z.array(modelProviderSchema) }),
    }),
    /** Checks the key first, and rejects with `invalid_request` where it is refused or the server cannot be reached. */
    createProvider: call({
      request: z.strictObject({ workspace_id: idSchema, provider: newModelProviderSchema, actor: auditActorSchema }),
      reply: modelProviderSchema,
      errors: ['invalid_request', 'unavailable'],
    }),
    /** Sends a short request to one of its models. */
    testProvider: call({
      request: z.strictObject({ ...providerAddress, model: modelSchema }),
      reply: modelProviderTestSchema,
      errors: ['not_found', 'unavailable'],
    }),
    listProviderModels: call({
      request: z.strictObject(providerAddress),
      reply: modelListSchema,
      errors: ['not_found', 'unavailable'],
    }),
    findModelServers: call({ request: z.strictObject({}), reply: modelServersSchema }),
    /** For the services that call its models. */
    getSealedProvider: call({
      request: z.strictObject(providerAddress),
      reply: sealedModelProviderSchema,
      errors: ['not_found'],
    }),
    /** Live conversations continue. Agents that name it start no new ones. */
    deleteProvider: call({
      request: z.strictObject({ ...providerAddress, actor: auditActorSchema }),
      reply: z.object({}),
      errors: ['not_found'],
    }),
  },
})

/** The methods of the service that calls language models. */
export const languageModelsContract = contract({
  name: 'language-models',
  version: '1.1.0',
  description: 'Requests to language models outside of conversations',
  methods: {
    tryProvider: call({
      request: z.strictObject({ workspace_id: idSchema, provider: sealedModelProviderSchema, model: modelSchema }),
      reply: modelProviderTestSchema,
      errors: ['unavailable'],
    }),
    listModels: call({
      request: z.strictObject({ workspace_id: idSchema, provider: sealedModelProviderSchema }),
      reply: modelListSchema,
      errors: ['unavailable'],
    }),
    findServers: call({ request: z.strictObject({}), reply: modelServersSchema }),
  },
})
