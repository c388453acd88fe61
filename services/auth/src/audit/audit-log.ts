import type { Handlers } from '@parlance/bus'
import {
  type AuditAction,
  type AuditActor,
  type AuditEntry,
  type AuditEvent,
  type auditContract,
  type auditFilterSchema,
  idSchema,
} from '@parlance/contracts'
import { type Database, decodeCursor, type Page, pageOf } from '@parlance/store'
import { z } from 'zod'

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

interface AuditRepository {
  /** Events whose ids are in the log already are left out. */
  add(events: readonly RecordedEvent[]): Promise<void>
  /** Newest first. Rejects with `invalid_request` for a wrong cursor. */
  list(workspaceId: string, page: AuditPageRequest): Promise<Page<AuditEntry>>
}

interface Row {
  id: string
  action: AuditAction
  actor_kind: AuditActor['kind']
  actor_id: string | null
  actor_name: string | null
  details: AuditEntry['details']
  created_at: Date
  created_us: number
}

const toEntry = ({ id, action, actor_kind, actor_id, actor_name, details, created_at }: Row): AuditEntry => ({
  id,
  action,
  actor: { kind: actor_kind, id: actor_id, name: actor_name },
  details,
  created_at: created_at.toISOString(),
})

/** The position of an entry in a list: its time in µs, and its id. */
const positionSchema = z.tuple([z.int().nonnegative(), idSchema])

export const createAuditRepository = (database: Database): AuditRepository => ({
  async add(events) {
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

  async list(workspaceId, { limit, cursor, action, actor }) {
    const [createdUs, id] = decodeCursor(cursor, positionSchema) ?? [null, null]
    const ofOperator = actor === 'operator'
    const rows = await database.inWorkspace(workspaceId, (transaction) =>
      transaction.query<Row>(
        `select a.id, a.action, a.actor_kind, a.actor_id, coalesce(p.name, k.label) as actor_name, a.details,
           a.created_at, (extract(epoch from a.created_at) * 1e6)::float8 as created_us
         from audit_log a
           left join people p on a.actor_kind = 'person' and p.id = a.actor_id
           left join api_keys k on a.actor_kind = 'api_key' and k.id = a.actor_id
         where a.workspace_id = $1
           and ($2::text is null or a.action = $2)
           and ($3::uuid is null or a.actor_id = $3)
           and (not $4 or a.actor_kind = 'operator')
           and ($5::float8 is null or
             (a.created_at, a.id) < (timestamptz 'epoch' + $5 * interval '1 microsecond', $6::uuid))
         order by a.created_at desc, a.id desc
         limit $7`,
        [workspaceId, action ?? null, ofOperator ? null : (actor ?? null), ofOperator, createdUs, id, limit + 1],
      ),
    )
    return pageOf(rows, { limit, placeOf: (row) => [row.created_us, row.id], toItem: toEntry })
  },
})

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
