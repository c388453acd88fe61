import { type SessionOverview, successfulEnds } from '@parlance/contracts'
import { roundToTenth } from '@parlance/speech'
import type { Queryable } from '@parlance/store'

interface FiguresRow {
  /** Null in the row of the whole period. */
  readonly day: string | null
  readonly conversations: number
  readonly ended: number
  readonly succeeded: number
  readonly percentiles: readonly [p50: number, p95: number] | null
}

const toFigures = ({ conversations, ended, succeeded, percentiles }: FiguresRow): SessionOverview['total'] => ({
  conversations,
  ended,
  succeeded,
  voice_to_voice_ms:
    percentiles === null ? null : { p50: roundToTenth(percentiles[0]), p95: roundToTenth(percentiles[1]) },
})

/** The conversations of the workspace that were created since `from`, as a whole and by day in UTC. */
export const readOverview = async (
  transaction: Queryable,
  workspaceId: string,
  from: string,
): Promise<SessionOverview> => {
  const rows = await transaction.query<FiguresRow>(
    `with chosen as (
       select id, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day, end_reason
       from sessions where workspace_id = $1 and created_at >= $2),
     counts as (
       select day, count(*)::int as conversations, count(end_reason)::int as ended,
         count(*) filter (where end_reason = any($3))::int as succeeded
       from chosen group by grouping sets ((day), ())),
     latencies as (
       select c.day, percentile_cont(array[0.5, 0.95]) within group (order by t.voice_to_voice_ms) as percentiles
       from chosen c join turns t on t.workspace_id = $1 and t.session_id = c.id
       where t.voice_to_voice_ms is not null
       group by grouping sets ((c.day), ()))
     select c.day, c.conversations, c.ended, c.succeeded, l.percentiles
     from counts c left join latencies l on l.day is not distinct from c.day
     order by c.day nulls first`,
    [workspaceId, from, successfulEnds],
  )
  const [total, ...days] = rows
  return {
    total: toFigures(total!),
    days: days.map((row) => ({ day: row.day!, ...toFigures(row) })),
  }
}
