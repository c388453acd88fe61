/**
 * Removes the audio of recordings that have expired or are marked for deletion, and once a day unfinished objects. Due work is
 * in the database, so it survives restarts. All instances do this, even at the same time: removing audio twice changes
 * nothing.
 */
import { type Database, type Sweep, startSweep } from '@parlance/store'
import type { Logger } from '@parlance/telemetry'
import { type RecordingStorage, recordingKey } from './storage/recording-storage.js'

/** A recording whose audio is to be removed from the storage. */
interface DueRecording {
  readonly workspaceId: string
  readonly sessionId: string
}

/** A recording ends sooner than this after its conversation. */
const orphanAfter = `interval '2 minutes'`

const orphanFailure = 'The server that recorded this conversation stopped without warning.'

type DueRecordings = ReturnType<typeof createDueRecordings>

/** The recordings of all workspaces that are due for deletion. Every method rejects while Postgres cannot be reached. */
export const createDueRecordings = (database: Database) => ({
  /** Marks recordings as failed whose instance stopped without warning. Their audio is then due for deletion. */
  async failOrphans(): Promise<number> {
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

  /** Recordings that have expired or are marked for deletion, and that no instance still writes. */
  async list(limit: number): Promise<DueRecording[]> {
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

  /** To be called when the audio was removed. The row stays as `deleted` or `failed` until the conversation is deleted. */
  removed: ({ workspaceId, sessionId }: DueRecording) =>
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

interface RecordingSweeperOptions {
  readonly due: DueRecordings
  readonly storage: Pick<RecordingStorage, 'remove' | 'removeUnfinished'>
  readonly logger: Logger
}

const everyMs = 30_000
const maxAtOnce = 100
const unfinishedEveryMs = 24 * 3_600_000
/** Longer than a conversation may take, which is a day. */
const unfinishedAfterMs = 2 * 24 * 3_600_000

export const startRecordingSweeper = ({ due, storage, logger }: RecordingSweeperOptions): Sweep => {
  let unfinishedAtMs = performance.now()

  const removeDue = async (signal: AbortSignal): Promise<void> => {
    const failed = await due.failOrphans()
    if (failed > 0) logger.warn({ count: failed }, 'Recordings of an instance that stopped were marked as failed')
    for (let found = maxAtOnce; found === maxAtOnce && !signal.aborted; ) {
      const recordings = await due.list(maxAtOnce)
      found = recordings.length
      for (const recording of recordings) {
        await storage.remove(recordingKey(recording.workspaceId, recording.sessionId))
        await due.removed(recording)
      }
    }
  }

  const removeUnfinished = async (signal: AbortSignal): Promise<void> => {
    if (signal.aborted || performance.now() < unfinishedAtMs) return
    unfinishedAtMs = performance.now() + unfinishedEveryMs
    try {
      const removed = await storage.removeUnfinished(new Date(Date.now() - unfinishedAfterMs), signal)
      if (removed > 0) logger.info({ count: removed }, 'Recordings that were never finished were removed')
    } catch (err) {
      if (!signal.aborted) {
        logger.warn({ err }, 'Recordings that were never finished could not be removed; it is tried again in a day')
      }
    }
  }

  const onFailed = (err: unknown): void =>
    logger.warn({ err }, 'Recordings that are due could not be removed; it is tried again')
  const sweep = startSweep(
    async (signal) => {
      await removeDue(signal).catch(onFailed)
      await removeUnfinished(signal)
    },
    { everyMs, onFailed },
  )
  sweep.wake()
  return sweep
}
