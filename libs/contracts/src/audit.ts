import { z } from 'zod'
import { call, contract } from './contract.js'
import { idSchema, pageRequestSchema, timestampSchema } from './primitives.js'

/** The actions in the audit log. */
const auditActionSchema = z.enum([
  'person.signed_in',
  'member.invited',
  'member.invitation_canceled',
  'member.added',
  'member.role_changed',
  'member.removed',
  'api_key.created',
  'api_key.revoked',
  'agent.published',
  'agent.rolled_back',
  'agent.deleted',
  'credit.granted',
  'workspace.renamed',
  'workspace.limits_changed',
  'workspace.capabilities_changed',
  'model_provider.created',
  'model_provider.deleted',
  'phone_number.created',
  'phone_number.deleted',
  'workspace.suspended',
  'workspace.resumed',
  'webhook.created',
  'webhook.changed',
  'webhook.secret_rotated',
  'webhook.deleted',
  'webhook.disabled',
  'conversation.ended',
  'conversation.listened',
  'recording_settings.changed',
  'recording.deleted',
])
export type AuditAction = z.infer<typeof auditActionSchema>

/** The actor: a member in the dashboard, a program with an API key, or an operator, who has no id. */
export const auditActorSchema = z.object({
  kind: z.enum(['person', 'api_key', 'operator']),
  id: idSchema.nullable(),
})
export type AuditActor = z.infer<typeof auditActorSchema>

/** A field of requests whose action is audited. When it is left out, the actor is an operator. */
export const actorField = { actor: auditActorSchema.default({ kind: 'operator', id: null }) }

/** What the action applied to, by names such as `agent_id`. They depend on the action. */
const detailsSchema = z.record(z.string(), z.union([z.string(), z.number(), z.null()]))

/** An action, as described by the service in which it happened. */
export const auditEventSchema = z.object({
  action: auditActionSchema,
  actor: auditActorSchema,
  details: detailsSchema,
})
export type AuditEvent = z.infer<typeof auditEventSchema>

export const auditEntrySchema = z.object({
  id: idSchema,
  action: auditActionSchema,
  /** `name` is the current name of the person, or the label of the key. */
  actor: auditActorSchema.extend({ name: z.string().nullable() }),
  details: detailsSchema,
  created_at: timestampSchema,
})
export type AuditEntry = z.infer<typeof auditEntrySchema>

/** The filters of a list: an action, and the id of a person or key, or `operator`. */
export const auditFilterSchema = z.strictObject({
  action: auditActionSchema.optional(),
  actor: z.union([idSchema, z.literal('operator')]).optional(),
})

export const auditPageSchema = z.object({ entries: z.array(auditEntrySchema), next_cursor: z.string().nullable() })

export const auditContract = contract({
  name: 'audit',
  version: '1.3.0',
  description: 'The audit log of workspaces: who did what',
  methods: {
    /** Adds what happened in another service. An event whose id is in the log already is not added again. */
    recordEvents: call({
      request: z.strictObject({
        events: z
          .array(z.object({ id: idSchema, workspace_id: idSchema, at: timestampSchema, event: auditEventSchema }))
          .max(100),
      }),
      reply: z.object({}),
    }),
    /** Newest first. */
    listEntries: call({
      request: z.strictObject({ workspace_id: idSchema, ...pageRequestSchema.shape, ...auditFilterSchema.shape }),
      reply: auditPageSchema,
      errors: ['invalid_request'],
    }),
  },
})
