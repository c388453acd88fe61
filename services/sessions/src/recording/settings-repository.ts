import { defaultRecordingSettings, type RecordingSettings } from '@parlance/contracts'
import type { Database } from '@parlance/store'

/** How the conversations of Agents are recorded. Rejects with `unavailable` while Postgres cannot be reached. */
export interface RecordingSettingsRepository {
  /** The defaults for an Agent for which nothing was set. */
  find(workspaceId: string, agentId: string): Promise<RecordingSettings>
  put(workspaceId: string, agentId: string, settings: RecordingSettings): Promise<void>
}

export const createRecordingSettingsRepository = (database: Database): RecordingSettingsRepository => ({
  find: (workspaceId, agentId) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const [row] = await transaction.query<RecordingSettings>(
        `select enabled, consent_required, retention_days from recording_settings
         where workspace_id = $1 and agent_id = $2`,
        [workspaceId, agentId],
      )
      return row ?? defaultRecordingSettings
    }),

  put: (workspaceId, agentId, { enabled, consent_required, retention_days }) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      await transaction.query(
        `insert into recording_settings (workspace_id, agent_id, enabled, consent_required, retention_days)
         values ($1, $2, $3, $4, $5)
         on conflict (workspace_id, agent_id) do update set enabled = excluded.enabled,
           consent_required = excluded.consent_required, retention_days = excluded.retention_days`,
        [workspaceId, agentId, enabled, consent_required, retention_days],
      )
    }),
})
