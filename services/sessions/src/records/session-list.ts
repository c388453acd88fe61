import { type EndReason, idSchema, type SessionStatus, type SessionSummary } from '@parlance/contracts'
import { decodeCursor, following, type Page, type PageRequest, pageOf, type Queryable } from '@parlance/store'
import { z } from 'zod'
import { didFit, fitsAnswer } from './fits-answer.js'
import { type SessionRow, sessionColumns, sessionTables, toSessionSummary } from './session-row.js'

export interface SessionFilter {
  readonly agent_id?: string | undefined
  readonly end_user_id?: string | undefined
  readonly status?: SessionStatus | undefined
  readonly end_reason?: EndReason | undefined
  /** In a message, in any case. */
  readonly text?: string | undefined
  readonly started_after?: string | undefined
  readonly started_before?: string | undefined
}

/** Where a page ends: when a conversation was created, in µs since 1970, and its id. */
const placeSchema = z.tuple([z.int().nonnegative(), idSchema])

/** For `ilike`: what has the text somewhere. */
const patternOf = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** A page of the workspace's conversations, by time of creation. */
export const listSessions = async (
  transaction: Queryable,
  workspaceId: string,
  filter: SessionFilter,
  { limit, cursor, order }: PageRequest,
): Promise<Page<SessionSummary>> => {
  const [createdUs, id] = decodeCursor(cursor, placeSchema) ?? [null, null]
  const rows = await transaction.query<SessionRow & { created_us: number; fits: boolean }>(
    `select ${sessionColumns}, ${fitsAnswer('s.metadata_bytes')},
       (extract(epoch from s.created_at) * 1e6)::float8 as created_us
     from ${sessionTables}
     where s.workspace_id = $1
       and ($2::uuid is null or s.agent_id = $2)
       and ($3::uuid is null or s.end_user_id = $3)
       and ($4::text is null or s.status = $4)
       and ($5::timestamptz is null or s.started_at > $5)
       and ($6::timestamptz is null or s.started_at < $6)
       and ($7::float8 is null
         or (s.created_at, s.id) ${following[order]} (timestamptz 'epoch' + $7 * interval '1 microsecond', $8::uuid))
       and ($10::text is null or s.end_reason = $10)
       and ($11::text is null or exists (
         select from messages m
         where m.workspace_id = $1 and m.session_id = s.id and m.text ilike $11))
     window page as (order by s.created_at ${order}, s.id ${order})
     order by s.created_at ${order}, s.id ${order}
     limit $9`,
    [
      workspaceId,
      filter.agent_id ?? null,
      filter.end_user_id ?? null,
      filter.status ?? null,
      filter.started_after ?? null,
      filter.started_before ?? null,
      createdUs,
      id,
      limit + 1,
      filter.end_reason ?? null,
      filter.text === undefined ? null : patternOf(filter.text),
    ],
  )
  return pageOf(rows, { limit, fits: didFit, placeOf: (row) => [row.created_us, row.id], toItem: toSessionSummary })
}
