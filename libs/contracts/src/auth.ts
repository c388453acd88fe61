import { z } from 'zod'
import { call, contract } from './contract.js'
import { pageRequestSchema } from './page-request.js'
import { idSchema, timestampSchema } from './primitives.js'

/** Products a workspace can be given. */
export const capabilitySchema = z.enum(['tts', 'agents'])
export type Capability = z.infer<typeof capabilitySchema>

export const workspaceSchema = z.object({
  id: idSchema,
  name: z.string().min(1).max(200),
  capabilities: z.array(capabilitySchema),
  suspended: z.boolean(),
  created_at: timestampSchema,
})
export type Workspace = z.infer<typeof workspaceSchema>

/** A key as it is listed: everything but the key. `prefix` is its first characters, enough for a person to know it by. */
export const apiKeySchema = z.object({
  id: idSchema,
  workspace_id: idSchema,
  label: z.string().min(1).max(200),
  prefix: z.string(),
  status: z.enum(['active', 'revoked']),
  created_at: timestampSchema,
  last_used_at: timestampSchema.nullable(),
  revoked_at: timestampSchema.nullable(),
})
export type ApiKey = z.infer<typeof apiKeySchema>

/** Who is calling: what the gateway knows after a key was checked. */
export const principalSchema = z.object({
  key_id: idSchema,
  workspace_id: idSchema,
  capabilities: z.array(capabilitySchema),
  suspended: z.boolean(),
})
export type Principal = z.infer<typeof principalSchema>

/** HMAC-SHA-256 of a key under one version of the pepper, in hex. The key itself never leaves the gateway. */
export const keyDigestSchema = z.object({
  pepper_version: z.int().positive(),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
})
export type KeyDigest = z.infer<typeof keyDigestSchema>

export const authContract = contract({
  name: 'auth',
  version: '1.0.0',
  description: 'Workspaces and API keys',
  methods: {
    createWorkspace: call({
      request: z.strictObject({ name: workspaceSchema.shape.name, capabilities: z.array(capabilitySchema) }),
      reply: workspaceSchema,
    }),
    getWorkspace: call({
      request: z.strictObject({ workspace_id: idSchema }),
      reply: workspaceSchema,
      errors: ['not_found'],
    }),
    /** Oldest first. */
    listWorkspaces: call({
      request: pageRequestSchema,
      reply: z.object({ workspaces: z.array(workspaceSchema), next_cursor: z.string().nullable() }),
      errors: ['invalid_request'],
    }),
    updateWorkspace: call({
      request: z.strictObject({
        workspace_id: idSchema,
        capabilities: z.array(capabilitySchema).optional(),
        suspended: z.boolean().optional(),
      }),
      reply: workspaceSchema,
      errors: ['not_found'],
    }),
    /** `key` is in this answer and nowhere else, ever again. */
    createKey: call({
      request: z.strictObject({ workspace_id: idSchema, label: apiKeySchema.shape.label }),
      reply: apiKeySchema.extend({ key: z.string() }),
      errors: ['not_found'],
    }),
    listKeys: call({
      request: z.strictObject({ workspace_id: idSchema }),
      reply: z.object({ keys: z.array(apiKeySchema) }),
    }),
    /** When this has answered, no gateway accepts the key any more. */
    revokeKey: call({
      request: z.strictObject({ workspace_id: idSchema, key_id: idSchema }),
      reply: apiKeySchema,
      errors: ['not_found', 'unavailable'],
    }),
    verifyKey: call({
      request: z.strictObject({ digests: z.array(keyDigestSchema).min(1).max(8) }),
      reply: principalSchema,
      errors: ['unauthorized'],
    }),
    recordKeyUse: call({
      request: z.strictObject({
        uses: z.array(z.object({ key_id: idSchema, last_used_at: timestampSchema })).max(10_000),
      }),
      reply: z.object({}),
    }),
  },
})
