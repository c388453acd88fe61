import type { Handlers } from '@parlance/bus'
import type {
  AuditAction,
  AuditActor,
  AuditEntry,
  AuditEvent,
  auditContract,
  auditFilterSchema,
} from '@parlance/contracts'
import { type Database, type Page, pageByTime, timeOrder } from '@parlance/store'
import type { z } from 'zod'

interface RecordedEvent {
  readonly id: string
  readonly workspace_id: string
  readonly at: string
  readonly event: AuditEvent
}

interface AuditPageRequest extends z.output<typeof auditFilterSchema> {
  readonly limit: number
  readonly cursor?: string | undefined
}

interface Row {
  id: string
  action: AuditAction
  actor_kind: AuditActor['kind']
  actor_id: string | null
  actor_name: string | null
  details: AuditEntry['details']
  created_at: Date
}

const toEntry = ({ id, action, actor_kind, actor_id, actor_name, details, created_at }: Row): AuditEntry => ({
  id,
  action,
  actor: { kind: actor_kind, id: actor_id, name: actor_name },
  details,
  created_at: created_at.toISOString(),
})

export const createAuditRepository = (database: Database) => ({
  /** Events whose ids are in the log already are left out. */
  async add(events: readonly RecordedEvent[]): Promise<void> {
    const rows = events.map(({ id, workspace_id, at, event: { action, actor, details } }) => ({
      ...{ id, workspace_id, created_at: at, action, details },
      ...{ actor_kind: actor.kind, actor_id: actor.id },
    }))
    await database.acrossWorkspaces((transaction) =>
      transaction.query(
        `insert into audit_log (workspace_id, id, action, actor_kind, actor_id, details, created_at)
         select workspace_id, id, action, actor_kind, actor_id, details, created_at
         from jsonb_to_recordset($1) as r (workspace_id uuid, id uuid, action text, actor_kind text, actor_id uuid,
           details jsonb, created_at timestamptz)
         on conflict do nothing`,
        [JSON.stringify(rows)],
      ),
    )
  },

  /** Newest first. Rejects with `invalid_request` for a wrong cursor. */
  async list(workspaceId: string, { limit, cursor, action, actor }: AuditPageRequest): Promise<Page<AuditEntry>> {
    const { createdUs, isAfter, orderBy, values } = timeOrder({ cursor, order: 'desc' }, 'a', 5)
    const ofOperator = actor === 'operator'
    const rows = await database.inWorkspace(workspaceId, (transaction) =>
      transaction.query<Row & { created_us: number }>(
        `select a.id, a.action, a.actor_kind, a.actor_id, coalesce(p.name, k.label) as actor_name, a.details,
           a.created_at, ${createdUs}
         from audit_log a
           left join people p on a.actor_kind = 'person' and p.id = a.actor_id
           left join api_keys k on a.actor_kind = 'api_key' and k.id = a.actor_id
         where a.workspace_id = $1
           and ($2::text is null or a.action = $2)
           and ($3::uuid is null or a.actor_id = $3)
           and (not $4 or a.actor_kind = 'operator')
           and ${isAfter}
         ${orderBy} limit $7`,
        [workspaceId, action ?? null, ofOperator ? null : (actor ?? null), ofOperator, ...values, limit + 1],
      ),
    )
    return pageByTime(rows, { limit, toItem: toEntry })
  },
})

type AuditRepository = ReturnType<typeof createAuditRepository>

export const createAuditHandlers = (audit: AuditRepository): Handlers<typeof auditContract> => ({
  async recordEvents({ events }) {
    await audit.add(events)
    return {}
  },

  async listEntries({ workspace_id, ...page }) {
    const { items, nextCursor } = await audit.list(workspace_id, page)
    return { entries: items, next_cursor: nextCursor }
  },
})
