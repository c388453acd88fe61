import { addToAuditLog } from '@parlance/clients/outbox'
import type { AuditActor, MessagePosition, Recording } from '@parlance/contracts'
import type { Database, Queryable } from '@parlance/store'

/** A recording that has just begun. */
export interface NewRecording {
  readonly workspaceId: string
  readonly sessionId: string
  readonly agentId: string
  readonly endUserId: string | null
  readonly retentionDays: number
}

/** The data of a recording at its end. */
interface FinishedRecording {
  readonly durationMs: number
  readonly sizeBytes: number
  readonly positions: readonly MessagePosition[]
}

/** Which recordings of an end user to delete. */
interface EndUserRecordings {
  readonly endUserId: string
  /** Undefined for all Agents. */
  readonly agentId: string | undefined
  readonly actor: AuditActor
}

interface RecordingRow extends Omit<Recording, 'started_at' | 'expires_at'> {
  readonly started_at: Date
  readonly expires_at: Date | null
}

const toRecording = ({ started_at, expires_at, ...row }: RecordingRow): Recording => ({
  ...row,
  started_at: started_at.toISOString(),
  expires_at: expires_at?.toISOString() ?? null,
})

/** An SQL condition: the recording has audio, or will have, and is not due for deletion. */
const isKept = `state in ('recording', 'stored') and removal_at is null and (expires_at is null or expires_at > now())`

/** To be called before a conversation is removed, which removes its recording. Adds nothing when there is no recording. */
export const auditRemovalWithSession = async (
  transaction: Queryable,
  workspaceId: string,
  sessionId: string,
  actor: AuditActor,
): Promise<void> => {
  const [kept] = await transaction.query<{ agent_id: string }>(
    `select agent_id from recordings where workspace_id = $1 and session_id = $2 and ${isKept} for update`,
    [workspaceId, sessionId],
  )
  if (kept === undefined) return
  const details = { session_id: sessionId, agent_id: kept.agent_id, deleted_with: 'its conversation' }
  await addToAuditLog(transaction, workspaceId, { action: 'recording.deleted', actor, details })
}

const insert = (
  database: Database,
  { workspaceId, sessionId, agentId, endUserId, retentionDays }: NewRecording,
  state: Recording['state'],
  failure: string | null,
) =>
  database.inWorkspace(workspaceId, async (transaction) => {
    await transaction.query(
      `insert into recordings (workspace_id, session_id, agent_id, end_user_id, retention_days, started_at, state, failure)
       values ($1, $2, $3, $4, $5, now(), $6, $7)`,
      [workspaceId, sessionId, agentId, endUserId, retentionDays, state, failure],
    )
  })

export type RecordingRepository = ReturnType<typeof createRecordingRepository>

/** The rows of recordings. Rejects with `unavailable` while Postgres cannot be reached. */
export const createRecordingRepository = (database: Database) => ({
  create: (recording: NewRecording) => insert(database, recording, 'recording', null),
  /** The conversation is not recorded. `reason` is one sentence for members. */
  skip: (recording: NewRecording, reason: string) => insert(database, recording, 'not_recorded', reason),

  /** Its retention begins now. */
  finish: (workspaceId: string, sessionId: string, { durationMs, sizeBytes, positions }: FinishedRecording) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      await transaction.query(
        `update recordings set state = 'stored', duration_ms = $3, size_bytes = $4, positions = $5,
           expires_at = now() + retention_days * interval '1 day'
         where workspace_id = $1 and session_id = $2 and state = 'recording'`,
        [workspaceId, sessionId, durationMs, sizeBytes, JSON.stringify(positions)],
      )
    }),

  /** Its audio so far is due for deletion. `failure` is one sentence for members. */
  fail: (workspaceId: string, sessionId: string, failure: string) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      await transaction.query(
        `update recordings set state = 'failed', failure = $3, removal_at = coalesce(removal_at, now())
         where workspace_id = $1 and session_id = $2 and state = 'recording'`,
        [workspaceId, sessionId, failure],
      )
    }),

  /** A recording that is due for deletion is already `deleted`. Undefined when there is none. */
  find: (workspaceId: string, sessionId: string) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const [row] = await transaction.query<RecordingRow>(
        `select case when state <> 'failed' and (removal_at is not null or expires_at <= now()) then 'deleted'
             else state end as state,
           started_at, duration_ms, size_bytes::float8 as size_bytes, expires_at, failure, positions
         from recordings where workspace_id = $1 and session_id = $2`,
        [workspaceId, sessionId],
      )
      return row && toRecording(row)
    }),

  /** Marks the recordings of an end user for deletion; those in progress are deleted when they end. */
  removeOfEndUser: (workspaceId: string, { endUserId, agentId, actor }: EndUserRecordings) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const { length: count } = await transaction.query(
        `update recordings set removal_at = now()
         where workspace_id = $1 and end_user_id = $2 and ($3::uuid is null or agent_id = $3) and ${isKept}
         returning session_id`,
        [workspaceId, endUserId, agentId ?? null],
      )
      if (count === 0) return
      const details = { end_user_id: endUserId, recordings: count, deleted_with: 'the data of their end user' }
      await addToAuditLog(transaction, workspaceId, { action: 'recording.deleted', actor, details })
    }),
})
