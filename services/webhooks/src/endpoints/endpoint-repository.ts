import { isDeepStrictEqual } from 'node:util'
import {
  type AuditAction,
  type AuditActor,
  type AuditEvent,
  type newWebhookSchema,
  ServiceError,
  type Webhook,
  type WebhookPatch,
} from '@parlance/contracts'
import { type Database, type Page, type PageRequest, pageByTime, type Queryable, timeOrder } from '@parlance/store'
import type { z } from 'zod'

interface EndpointRow {
  id: string
  url: string
  events: Webhook['events']
  description: string
  enabled: boolean
  disabled_reason: Webhook['disabled_reason']
  disabled_at: Date | null
  failing_since: Date | null
  created_at: Date
  updated_at: Date
}

const columns = `id, url, events, description, enabled, disabled_reason, disabled_at, failing_since, created_at, updated_at`

const toWebhook = (row: EndpointRow): Webhook => ({
  id: row.id,
  url: row.url,
  events: row.events,
  description: row.description,
  enabled: row.enabled,
  disabled_reason: row.disabled_reason,
  disabled_at: row.disabled_at?.toISOString() ?? null,
  failing_since: row.failing_since?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

/** The maximum number of webhooks of a workspace. Each event is sent to all of them. */
const maxEndpoints = 20

/** Rejects with `invalid_request` when the workspace has the maximum number of webhooks. */
export const insertEndpoint = async (
  transaction: Queryable,
  workspaceId: string,
  { url, events, description }: z.output<typeof newWebhookSchema>,
): Promise<Webhook> => {
  // Two transactions that count at the same time would both find room.
  await transaction.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [`webhooks of ${workspaceId}`])
  const existing = await transaction.query('select from endpoints where workspace_id = $1', [workspaceId])
  if (existing.length >= maxEndpoints) {
    throw new ServiceError('invalid_request', `A workspace has at most ${maxEndpoints} webhooks. Delete one first.`)
  }
  const [row] = await transaction.query<EndpointRow>(
    `insert into endpoints (workspace_id, url, events, description) values ($1, $2, $3, $4) returning ${columns}`,
    [workspaceId, url, events, description],
  )
  return toWebhook(row!)
}

/** Locks it until the transaction ends. Undefined when there is no such endpoint. */
export const lockEndpoint = async (
  transaction: Queryable,
  workspaceId: string,
  endpointId: string,
): Promise<Webhook | undefined> => {
  const [row] = await transaction.query<EndpointRow>(
    `select ${columns} from endpoints where workspace_id = $1 and id = $2 for no key update`,
    [workspaceId, endpointId],
  )
  return row && toWebhook(row)
}

export const findEndpoint = (
  database: Database,
  workspaceId: string,
  endpointId: string,
): Promise<Webhook | undefined> =>
  database.inWorkspace(workspaceId, async (transaction) => {
    const [row] = await transaction.query<EndpointRow>(
      `select ${columns} from endpoints where workspace_id = $1 and id = $2`,
      [workspaceId, endpointId],
    )
    return row && toWebhook(row)
  })

/** By time of creation. Rejects with `invalid_request` for a wrong cursor. */
export const listEndpoints = (database: Database, workspaceId: string, page: PageRequest): Promise<Page<Webhook>> => {
  const { createdUs, isAfter, orderBy, values } = timeOrder(page, 'p', 2)
  return database.inWorkspace(workspaceId, async (transaction) => {
    const rows = await transaction.query<EndpointRow & { created_us: number }>(
      `select ${columns}, ${createdUs} from endpoints p where workspace_id = $1 and ${isAfter} ${orderBy} limit $4`,
      [workspaceId, ...values, page.limit + 1],
    )
    return pageByTime(rows, { limit: page.limit, toItem: toWebhook })
  })
}

/** Changes a locked endpoint. Enabling it or changing its address clears its failures. */
export const changeEndpoint = async (
  transaction: Queryable,
  workspaceId: string,
  { id, ...current }: Webhook,
  { url, events, description, enabled = current.enabled }: WebhookPatch,
): Promise<Webhook> => {
  const [row] = await transaction.query<EndpointRow>(
    `update endpoints set url = $3, events = $4, description = $5, enabled = $6,
       disabled_reason = case when $6 then null else coalesce(disabled_reason, 'requested') end,
       disabled_at = case when $6 then null else coalesce(disabled_at, now()) end,
       failing_since = case when ($6 and not enabled) or url <> $3 then null else failing_since end, updated_at = now()
     where workspace_id = $1 and id = $2 returning ${columns}`,
    [workspaceId, id, url ?? current.url, events ?? current.events, description ?? current.description, enabled],
  )
  return toWebhook(row!)
}

/** Resolves with the deleted endpoint; undefined when there is no such endpoint. */
export const deleteEndpoint = async (
  transaction: Queryable,
  workspaceId: string,
  endpointId: string,
): Promise<Webhook | undefined> => {
  const [row] = await transaction.query<EndpointRow>(
    `delete from endpoints where workspace_id = $1 and id = $2 returning ${columns}`,
    [workspaceId, endpointId],
  )
  return row && toWebhook(row)
}

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
