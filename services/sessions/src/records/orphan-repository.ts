import type { Database } from '@parlance/store'

/** Conversations that live as far as their records say, of all workspaces. */
export interface OrphanRepository {
  /** The instances that hold any. */
  holders(): Promise<string[]>
  /** All that this instance held have failed, but for those that it does hold; answers how many. */
  fail(instanceId: string, but?: Held): Promise<number>
}

export interface Held {
  readonly sessionIds: readonly string[]
  /** A younger one may be on its way to be held. */
  readonly youngerThanMs: number
}

const live = `status in ('connecting', 'active', 'ending')`

export const createOrphanRepository = (database: Database): OrphanRepository => ({
  async holders() {
    const rows = await database.acrossWorkspaces((transaction) =>
      transaction.query<{ instance_id: string }>(`select distinct instance_id from sessions where ${live}`),
    )
    return rows.map(({ instance_id }) => instance_id)
  },

  async fail(instanceId, { sessionIds, youngerThanMs } = { sessionIds: [], youngerThanMs: 0 }) {
    const failed = await database.acrossWorkspaces((transaction) =>
      transaction.query(
        `update sessions set status = 'failed', end_reason = 'internal_error', ended_at = now(),
           error_code = 'internal_error', error_detail = 'The server that held this session stopped without warning.'
         where instance_id = $1 and ${live} and id <> all($2::uuid[])
           and created_at <= clock_timestamp() - $3 * interval '1 ms'
         returning id`,
        [instanceId, sessionIds, youngerThanMs],
      ),
    )
    return failed.length
  },
})
