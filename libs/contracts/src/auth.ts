import { z } from 'zod'
import { call, contract, event } from './contract.js'
import { idSchema, pageRequestSchema, storableTextSchema, timestampSchema } from './primitives.js'

/** Products that can be enabled for a workspace. */
export const capabilitySchema = z.enum(['tts', 'stt', 'agents'])
export type Capability = z.infer<typeof capabilitySchema>

/** 0 for no limit. */
export const concurrencyLimitSchema = z.int().min(0).max(1_000_000)

/** How much of each kind a workspace may have at once, counted across all replicas; 0 for no limit. */
export const workspaceLimitsSchema = z.object({
  max_concurrent_sessions: concurrencyLimitSchema,
  max_concurrent_streams: concurrencyLimitSchema,
})
export type WorkspaceLimits = z.infer<typeof workspaceLimitsSchema>

/** The limits of a workspace for which the operator sets none. */
export const defaultWorkspaceLimits: WorkspaceLimits = { max_concurrent_sessions: 20, max_concurrent_streams: 50 }

export const workspaceSchema = z.object({
  id: idSchema,
  name: storableTextSchema.min(1).max(200),
  capabilities: z.array(capabilitySchema),
  suspended: z.boolean(),
  ...workspaceLimitsSchema.shape,
  created_at: timestampSchema,
})
export type Workspace = z.infer<typeof workspaceSchema>

/** A key in lists: everything except the key. `prefix` is its first characters, enough for a person to recognize it. */
export const apiKeySchema = z.object({
  id: idSchema,
  workspace_id: idSchema,
  label: storableTextSchema.min(1).max(200),
  prefix: z.string(),
  status: z.enum(['active', 'revoked']),
  created_at: timestampSchema,
  last_used_at: timestampSchema.nullable(),
  revoked_at: timestampSchema.nullable(),
})
export type ApiKey = z.infer<typeof apiKeySchema>

/** The key to which requests of a person in the dashboard are attributed. It has no value and cannot be revoked. */
export const memberKeySchema = z.object({ id: idSchema, person_name: z.string() })
export type MemberKey = z.infer<typeof memberKeySchema>

/** The caller, as the gateway knows it after a key was checked. */
export const principalSchema = z.object({
  key_id: idSchema,
  workspace_id: idSchema,
  capabilities: z.array(capabilitySchema),
  suspended: z.boolean(),
})
export type Principal = z.infer<typeof principalSchema>

/** HMAC-SHA-256 of a key under one version of the pepper, in hex. The key itself never leaves the gateway. */
const keyDigestSchema = z.object({
  pepper_version: z.int().positive(),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
})
export type KeyDigest = z.infer<typeof keyDigestSchema>

/** A key that may no longer be used, and why. */
const endedKeySchema = z.object({
  key_id: idSchema,
  code: z.enum(['unauthorized', 'organization_suspended']),
})
export type EndedKey = z.infer<typeof endedKeySchema>

/** The maximum number of active API keys of a workspace. */
export const maxActiveKeys = 1_000

/** The maximum number of members' keys in a list: those of the members who joined last. */
export const maxListedMemberKeys = 1_000

/** The maximum number of keys in one call of `findEndedKeys`. */
export const maxWatchedKeys = 5_000

/** The person who made the request in the dashboard, for the audit log. Left out by the command line of an operator. */
const actingPerson = { person_id: idSchema.optional() }

export const authContract = contract({
  name: 'auth',
  version: '1.4.0',
  description: 'Workspaces and API keys',
  methods: {
    createWorkspace: call({
      request: z.strictObject({
        name: workspaceSchema.shape.name,
        capabilities: z.array(capabilitySchema),
        max_concurrent_sessions: concurrencyLimitSchema.default(defaultWorkspaceLimits.max_concurrent_sessions),
        max_concurrent_streams: concurrencyLimitSchema.default(defaultWorkspaceLimits.max_concurrent_streams),
      }),
      reply: workspaceSchema,
    }),
    getWorkspace: call({
      request: z.strictObject({ workspace_id: idSchema }),
      reply: workspaceSchema,
      errors: ['not_found'],
    }),
    /** Oldest first; with `search`, those with this part of a name in any case, or with this id. */
    listWorkspaces: call({
      request: pageRequestSchema.extend({ search: storableTextSchema.min(1).max(200).optional() }),
      reply: z.object({ workspaces: z.array(workspaceSchema), next_cursor: z.string().nullable() }),
      errors: ['invalid_request'],
    }),
    updateWorkspace: call({
      request: z.strictObject({
        workspace_id: idSchema,
        name: workspaceSchema.shape.name.optional(),
        capabilities: z.array(capabilitySchema).optional(),
        suspended: z.boolean().optional(),
        ...workspaceLimitsSchema.partial().shape,
        ...actingPerson,
      }),
      reply: workspaceSchema,
      errors: ['not_found'],
    }),
    /** Removes a suspended workspace for good, with its keys, members and invitations. */
    deleteWorkspace: call({
      request: z.strictObject({ workspace_id: idSchema }),
      reply: z.object({}),
      errors: ['invalid_request', 'not_found'],
    }),
    /** Only this reply contains `key`; it cannot be read again. */
    createKey: call({
      request: z.strictObject({ workspace_id: idSchema, label: apiKeySchema.shape.label, ...actingPerson }),
      reply: apiKeySchema.extend({ key: z.string() }),
      errors: ['not_found', 'invalid_request'],
    }),
    /** Newest first. */
    listKeys: call({
      request: pageRequestSchema.extend({ workspace_id: idSchema }),
      reply: z.object({
        keys: z.array(apiKeySchema),
        /** An auth service of the previous version sends all keys at once and no cursor. */
        next_cursor: z.string().nullable().default(null),
        /** The keys to which requests of current and former members in the dashboard are attributed. Only on the first page. */
        member_keys: z.array(memberKeySchema).default([]),
      }),
      errors: ['invalid_request'],
    }),
    /** Once this has replied, no gateway accepts the key. */
    revokeKey: call({
      request: z.strictObject({ workspace_id: idSchema, key_id: idSchema, ...actingPerson }),
      reply: apiKeySchema,
      errors: ['not_found', 'unavailable'],
    }),
    verifyKey: call({
      request: z.strictObject({ digests: z.array(keyDigestSchema).min(1).max(8) }),
      reply: principalSchema,
      errors: ['unauthorized'],
    }),
    /** The workspace of a key that has minted a token. `unauthorized` once the key is revoked. */
    getKeyWorkspace: call({
      request: z.strictObject({ workspace_id: idSchema, key_id: idSchema }),
      reply: workspaceSchema,
      errors: ['unauthorized'],
    }),
    /**
     * Adds the key to which telephone calls and conversations of a public Agent are attributed, unless it exists. Its id is that
     * of the Agent. It has no value and is not listed.
     */
    addAgentKey: call({
      request: z.strictObject({ workspace_id: idSchema, agent_id: idSchema }),
      reply: workspaceSchema,
      errors: ['not_found'],
    }),
    /** Of these keys, those that are revoked or unknown, and those of suspended workspaces. */
    findEndedKeys: call({
      request: z.strictObject({ key_ids: z.array(idSchema).max(maxWatchedKeys) }),
      reply: z.object({ ended: z.array(endedKeySchema) }),
    }),
    /** A key of this workspace was revoked, or the workspace was changed. The event may be lost. */
    standingChanged: event({ payload: z.object({ workspace_id: idSchema }) }),
    recordKeyUse: call({
      request: z.strictObject({
        uses: z.array(z.object({ key_id: idSchema, last_used_at: timestampSchema })).max(10_000),
      }),
      reply: z.object({}),
    }),
  },
})
