import { isDeepStrictEqual } from 'node:util'
import { addToAuditLog } from '@parlance/clients/outbox'
import { type AuditActor, defaultRecordingSettings, type RecordingSettings } from '@parlance/contracts'
import type { Database, Queryable } from '@parlance/store'
import { settingsEvent } from './audit-events.js'

/** An Agent whose settings are changed, and the person who changes them. */
export interface SettingsChange {
  readonly agentId: string
  /** For the audit log. */
  readonly slug: string | undefined
  readonly actor: AuditActor
  readonly settings: RecordingSettings
}

/** How the conversations of Agents are recorded. Rejects with `unavailable` while Postgres cannot be reached. */
export interface RecordingSettingsRepository {
  /** The defaults for an Agent for which nothing was set. */
  find(workspaceId: string, agentId: string): Promise<RecordingSettings>
  /** With an entry in the audit log, unless nothing changes. */
  put(workspaceId: string, change: SettingsChange): Promise<void>
}

const findSettings = async (
  transaction: Queryable,
  workspaceId: string,
  agentId: string,
): Promise<RecordingSettings> => {
  const [row] = await transaction.query<RecordingSettings>(
    `select enabled, consent_required, retention_days from recording_settings
     where workspace_id = $1 and agent_id = $2`,
    [workspaceId, agentId],
  )
  return row ?? defaultRecordingSettings
}

export const createRecordingSettingsRepository = (database: Database): RecordingSettingsRepository => ({
  find: (workspaceId, agentId) =>
    database.inWorkspace(workspaceId, (transaction) => findSettings(transaction, workspaceId, agentId)),

  put: (workspaceId, change) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const { agentId, settings } = change
      // The settings that an entry has as those before are not changed by another transaction meanwhile.
      await transaction.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`recording of ${agentId}`])
      const before = await findSettings(transaction, workspaceId, agentId)
      if (isDeepStrictEqual({ ...before }, { ...settings })) return
      await transaction.query(
        `insert into recording_settings (workspace_id, agent_id, enabled, consent_required, retention_days)
         values ($1, $2, $3, $4, $5)
         on conflict (workspace_id, agent_id) do update set enabled = excluded.enabled,
           consent_required = excluded.consent_required, retention_days = excluded.retention_days`,
        [workspaceId, agentId, settings.enabled, settings.consent_required, settings.retention_days],
      )
      await addToAuditLog(transaction, workspaceId, settingsEvent(change, before))
    }),
})
