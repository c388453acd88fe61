import type { Database } from '@parlance/store'

/** A recording whose audio is to be removed from the storage. */
export interface DueRecording {
  readonly workspaceId: string
  readonly sessionId: string
}

/** Recordings of all workspaces whose time is over. Every method rejects while Postgres cannot be reached. */
export interface DueRecordings {
  /** Marks recordings as failed whose instance stopped without warning. Their audio is due. */
  failOrphans(): Promise<number>
  /** Those that have expired or are to be deleted, and of which no instance writes any more. */
  list(limit: number): Promise<DueRecording[]>
  /** The audio was removed. The row stays as `deleted` or `failed` until the conversation is deleted. */
  removed(recording: DueRecording): Promise<void>
}

/** Longer than the end of a recording may take after that of its conversation. */
const orphanAfter = `interval '2 minutes'`

const orphanFailure = 'The server that recorded this conversation stopped without warning.'

export const createDueRecordings = (database: Database): DueRecordings => ({
  async failOrphans() {
    const failed = await database.acrossWorkspaces((transaction) =>
      transaction.query(
        `update recordings r set state = 'failed', failure = $1, removal_at = coalesce(r.removal_at, now())
         where r.state = 'recording' and r.started_at < now() - ${orphanAfter} and not exists (
           select from sessions s where s.workspace_id = r.workspace_id and s.id = r.session_id
             and (s.ended_at is null or s.ended_at > now() - ${orphanAfter}))
           and (r.removal_at is null or r.removal_at < now() - ${orphanAfter})
         returning r.session_id`,
        [orphanFailure],
      ),
    )
    return failed.length
  },

  async list(limit) {
    const rows = await database.acrossWorkspaces((transaction) =>
      transaction.query<{ workspace_id: string; session_id: string }>(
        `select workspace_id, session_id from recordings
         where (removal_at is not null and state <> 'recording') or (state = 'stored' and expires_at <= now())
         order by coalesce(removal_at, expires_at) limit $1`,
        [limit],
      ),
    )
    return rows.map(({ workspace_id, session_id }) => ({ workspaceId: workspace_id, sessionId: session_id }))
  },

  removed: ({ workspaceId, sessionId }) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const parameters = [workspaceId, sessionId]
      await transaction.query(
        `delete from recordings r where r.workspace_id = $1 and r.session_id = $2 and not exists (
           select from sessions s where s.workspace_id = $1 and s.id = $2)`,
        parameters,
      )
      await transaction.query(
        `update recordings set state = case when state = 'failed' then 'failed' else 'deleted' end, removal_at = null,
           size_bytes = null, positions = '[]'
         where workspace_id = $1 and session_id = $2`,
        parameters,
      )
    }),
})
