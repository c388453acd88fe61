import * as z from 'zod/mini'
import type { components } from '../api/schema.js'
import { keyOf, searchOf } from '../shared/search.js'

type Action = components['schemas']['AuditEntry']['action']

/** The actions, in words. */
export const actionNames: Readonly<Record<Action, string>> = {
  'person.signed_in': 'Signed in',
  'member.invited': 'Invited a person',
  'member.invitation_canceled': 'Withdrew an invitation',
  'member.added': 'Added a member',
  'member.role_changed': 'Changed a role',
  'member.removed': 'Removed a member',
  'api_key.created': 'Created an API key',
  'api_key.revoked': 'Revoked an API key',
  'agent.published': 'Published an Agent',
  'agent.rolled_back': 'Rolled an Agent back',
  'agent.deleted': 'Deleted an Agent',
  'credit.granted': 'Granted credit',
  'workspace.renamed': 'Renamed the workspace',
  'workspace.limits_changed': 'Changed the limits of the workspace',
  'workspace.capabilities_changed': 'Changed what the workspace may use',
  'model_provider.created': 'Added a model provider',
  'model_provider.deleted': 'Deleted a model provider',
  'workspace.suspended': 'Suspended the workspace',
  'workspace.resumed': 'Resumed the workspace',
  'webhook.created': 'Created a webhook',
  'webhook.changed': 'Changed a webhook',
  'webhook.secret_rotated': 'Made a new secret for a webhook',
  'webhook.deleted': 'Deleted a webhook',
  'webhook.disabled': 'Disabled a webhook that kept failing',
  'conversation.ended': 'Ended a live conversation',
  'conversation.listened': 'Listened to a live conversation',
  'recording_settings.changed': 'Changed how an Agent is recorded',
  'recording.deleted': 'Deleted recordings',
}

/** The filter of the log, which is in the URL of the page. */
export const auditFilterOf = searchOf({
  action: keyOf(actionNames),
  /** The id of a person or an API key, or `operator`. */
  actor: z.union([z.literal('operator'), z.guid()]),
})

export type AuditFilter = ReturnType<typeof auditFilterOf>
