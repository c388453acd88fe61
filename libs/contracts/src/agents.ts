import { z } from 'zod'
import { type AgentConfig, agentConfigSchema, publicConfigSchema } from './api/agent-request.js'
import { actorField } from './audit.js'
import { call, contract } from './contract.js'
import { idSchema, orderSchema, pageRequestSchema, storableTextSchema, timestampSchema } from './primitives.js'

const revisionReferenceSchema = z.object({ id: idSchema, version: z.int().positive() })

export const publicationSchema = z.object({
  id: idSchema,
  /** Counts the publications of an Agent from 1. */
  version: z.int().positive(),
  revision: revisionReferenceSchema,
  memory_enabled: z.boolean(),
  calendar_enabled: z.boolean(),
  created_at: timestampSchema,
})
export type Publication = z.infer<typeof publicationSchema>

/** An Agent as the API returns it: its draft and its active publication. */
export const agentSchema = agentConfigSchema.extend({
  id: idSchema,
  state: z.enum(['draft', 'published']),
  /** Whether session tokens can be minted: published with a TTS variant chosen. */
  api_ready: z.boolean(),
  draft_revision: revisionReferenceSchema,
  active_publication: publicationSchema.nullable(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
})
export type Agent = z.infer<typeof agentSchema>

const configOfAgentSchema = agentConfigSchema.strip()

/** The configuration of the draft of an Agent. */
export const draftConfigOf = (agent: Agent): AgentConfig => configOfAgentSchema.parse(agent)

export const revisionSchema = z.object({
  id: idSchema,
  /** Counts the revisions of an Agent from 1. */
  version: z.int().positive(),
  config: agentConfigSchema,
  created_at: timestampSchema,
})
export type Revision = z.infer<typeof revisionSchema>

/** A reason why the Agent cannot be published, and the field. */
const publishProblemSchema = z.object({
  field: z.string(),
  code: z.enum([
    'voice_not_found',
    'variant_not_found',
    'language_not_spoken',
    'avatar_not_found',
    'llm_provider_unknown',
    'tool_schema_invalid',
    'daily_credit_missing',
    'not_for_public_agents',
  ]),
  detail: z.string(),
})
export type PublishProblem = z.infer<typeof publishProblemSchema>

/** The detail of `agent_not_publishable`: each problem after its field. */
export const printProblems = (problems: readonly PublishProblem[]): string =>
  problems.map(({ field, detail }) => `${field}: ${detail}`).join(' ')

/** A probable mistake that does not prevent publishing. */
const publishWarningSchema = z.object({
  field: z.string(),
  code: z.enum(['variant_not_chosen', 'language_not_spoken', 'knowledge_file_not_found', 'knowledge_file_not_ready']),
  detail: z.string(),
})
export type PublishWarning = z.infer<typeof publishWarningSchema>

export const publishCheckSchema = z.object({
  publishable: z.boolean(),
  api_ready: z.boolean(),
  problems: z.array(publishProblemSchema),
  warnings: z.array(publishWarningSchema),
})

const agentAddress = { workspace_id: idSchema, agent_id: idSchema }
/** The revision that the draft must have, from `If-Match: "rev-3"`; null for any. */
const expectedVersion = { expected_version: z.int().positive().nullable().default(null) }
const listAddress = { ...pageRequestSchema.shape, order: orderSchema.default('desc') }

export const agentPageSchema = z.object({ agents: z.array(agentSchema), next_cursor: z.string().nullable() })
export const revisionPageSchema = z.object({ revisions: z.array(revisionSchema), next_cursor: z.string().nullable() })
export const publicationPageSchema = z.object({
  publications: z.array(publicationSchema),
  next_cursor: z.string().nullable(),
})

/** An Agent of another workspace is `agent_not_found`, like one that does not exist. */
export const agentsContract = contract({
  name: 'agents',
  version: '1.4.0',
  description: 'Agents, their revisions and their publications',
  methods: {
    createAgent: call({
      request: z.strictObject({ workspace_id: idSchema, config: agentConfigSchema }),
      reply: agentSchema,
      errors: ['slug_taken'],
    }),
    getAgent: call({ request: z.strictObject(agentAddress), reply: agentSchema, errors: ['agent_not_found'] }),
    listAgents: call({
      request: z.strictObject({
        workspace_id: idSchema,
        ...listAddress,
        slug: storableTextSchema.max(200).optional(),
        state: z.enum(['draft', 'published']).optional(),
        /** Found in slug, display name or description, in any case. */
        q: storableTextSchema.max(200).optional(),
      }),
      reply: agentPageSchema,
      errors: ['invalid_request'],
    }),
    /** `patch` is merged into the draft by `mergeAgentConfig`; a patch that changes nothing creates no revision. */
    updateAgent: call({
      request: z.strictObject({ ...agentAddress, ...expectedVersion, patch: z.record(z.string(), z.unknown()) }),
      reply: agentSchema,
      errors: ['agent_not_found', 'slug_taken', 'revision_conflict', 'invalid_request'],
    }),
    deleteAgent: call({
      request: z.strictObject({ ...agentAddress, ...expectedVersion, ...actorField }),
      reply: z.object({}),
      errors: ['agent_not_found', 'revision_conflict'],
    }),
    /**
     * `created` is false when this revision is already published. `api_ready` is that of the Agent afterwards: without a TTS variant
     * in the revision, no session tokens are minted.
     */
    publishAgent: call({
      request: z.strictObject({
        ...agentAddress,
        ...expectedVersion,
        revision_id: idSchema.nullable().default(null),
        ...actorField,
      }),
      reply: z.object({ publication: publicationSchema, created: z.boolean(), api_ready: z.boolean() }),
      errors: ['agent_not_found', 'revision_conflict', 'agent_not_publishable', 'not_found'],
    }),
    checkPublish: call({
      request: z.strictObject({ ...agentAddress, ...expectedVersion, revision_id: idSchema.nullable().default(null) }),
      reply: publishCheckSchema,
      errors: ['agent_not_found', 'revision_conflict', 'not_found'],
    }),
    listRevisions: call({
      request: z.strictObject({ ...agentAddress, ...listAddress }),
      reply: revisionPageSchema,
      errors: ['agent_not_found', 'invalid_request'],
    }),
    listPublications: call({
      request: z.strictObject({ ...agentAddress, ...listAddress }),
      reply: publicationPageSchema,
      errors: ['agent_not_found', 'invalid_request'],
    }),
    /** The configuration that conversations use. */
    getPublished: call({
      request: z.strictObject(agentAddress),
      reply: z.object({ publication: publicationSchema, config: agentConfigSchema }),
      errors: ['agent_not_found', 'agent_not_published'],
    }),
    /** The workspace of an Agent whose published configuration is public. Any other Agent is `agent_not_found`. */
    findPublic: call({
      request: z.strictObject({ agent_id: idSchema }),
      reply: z.object({ workspace_id: idSchema, public: publicConfigSchema }),
      errors: ['agent_not_found'],
    }),
    /** The values of the headers of MCP servers, by the ids after `sealed:` in its configurations. */
    getSealedHeaders: call({
      request: z.strictObject(agentAddress),
      reply: z.object({ headers: z.array(z.object({ id: idSchema, sealed: z.string() })) }),
    }),
  },
})
