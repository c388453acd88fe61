import { isDeepStrictEqual } from 'node:util'
import type { AuditAction, AuditActor, AuditEvent, Webhook } from '@parlance/contracts'

/** The path and the query of an address may contain secrets, so the audit log has only the host. */
export const hostOf = ({ url }: Pick<Webhook, 'url'>): string => new URL(url).host

type WebhookAction = Extract<AuditAction, `webhook.${string}`>

export const auditEventOf = (action: WebhookAction, webhook: Webhook, actor: AuditActor): AuditEvent => ({
  action,
  actor,
  details: { webhook_id: webhook.id, host: hostOf(webhook) },
})

const audited = ['url', 'events', 'description', 'enabled'] as const

/** Undefined when nothing has changed. */
export const changeEventOf = (before: Webhook, after: Webhook, actor: AuditActor): AuditEvent | undefined => {
  const fields = audited.filter((field) => !isDeepStrictEqual(before[field], after[field]))
  if (fields.length === 0) return undefined
  const { action, details } = auditEventOf('webhook.changed', after, actor)
  const changes = {
    fields: fields.join(', '),
    ...(fields.includes('url') && { host_before: hostOf(before) }),
    ...(fields.includes('events') && { events: after.events.join(', '), events_before: before.events.join(', ') }),
    ...(fields.includes('enabled') && { enabled: after.enabled ? 'yes' : 'no' }),
  }
  return { action, actor, details: { ...details, ...changes } }
}
