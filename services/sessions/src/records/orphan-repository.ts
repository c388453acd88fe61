import type { Database } from '@parlance/store'
import { isLive } from './session-row.js'

/** Conversations of all workspaces that are live by their records. */
export interface OrphanRepository {
  /** The instances that these conversations belong to. */
  holders(): Promise<string[]>
  /**
   * Marks the live conversations of this instance as failed, except those it still holds. A message that was being spoken
   * becomes an interrupted one. Answers how many conversations were marked.
   */
  fail(instanceId: string, except?: Held): Promise<number>
}

export interface Held {
  readonly sessionIds: readonly string[]
  /** A younger conversation may still be starting, and is ignored. */
  readonly youngerThanMs: number
}

export const createOrphanRepository = (database: Database): OrphanRepository => ({
  async holders() {
    const rows = await database.acrossWorkspaces((transaction) =>
      transaction.query<{ instance_id: string }>(`select distinct instance_id from sessions where ${isLive}`),
    )
    return rows.map(({ instance_id }) => instance_id)
  },

  async fail(instanceId, { sessionIds, youngerThanMs } = { sessionIds: [], youngerThanMs: 0 }) {
    const failed = await database.acrossWorkspaces((transaction) =>
      transaction.query(
        `with failed as (
           update sessions set status = 'failed', end_reason = 'internal_error', ended_at = now(),
             error_code = 'internal_error', error_detail = 'The server that held this session stopped without warning.'
           where instance_id = $1 and ${isLive} and id <> all($2::uuid[])
             and created_at <= clock_timestamp() - $3 * interval '1 ms'
           returning workspace_id, id
         ), interrupted as (
           update messages m set in_progress = false, interrupted = true
           from failed f where m.workspace_id = f.workspace_id and m.session_id = f.id and m.in_progress
         )
         select id from failed`,
        [instanceId, sessionIds, youngerThanMs],
      ),
    )
    return failed.length
  },
})
