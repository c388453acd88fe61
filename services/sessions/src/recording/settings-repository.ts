import { isDeepStrictEqual } from 'node:util'
import { addToAuditLog } from '@parlance/clients/outbox'
import { type AuditActor, type AuditEvent, defaultRecordingSettings, type RecordingSettings } from '@parlance/contracts'
import type { Database, Queryable } from '@parlance/store'

/** The new settings of an Agent, and who changes them. */
interface SettingsChange {
  readonly agentId: string
  /** For the audit log. */
  readonly slug: string | undefined
  readonly actor: AuditActor
  readonly settings: RecordingSettings
}

const wordsOf = ({ enabled, consent_required, retention_days }: RecordingSettings) => ({
  recording: enabled ? 'on' : 'off',
  consent: consent_required ? 'required' : 'not required',
  retention_days,
})

/** Has the settings after the change, and the earlier values of those that changed, such as `recording_before`. */
const settingsEvent = ({ agentId, slug, actor, settings }: SettingsChange, before: RecordingSettings): AuditEvent => {
  const [now, then] = [wordsOf(settings), Object.entries(wordsOf(before))]
  const changed = then.filter(([name, value]) => now[name as keyof typeof now] !== value)
  return {
    action: 'recording_settings.changed',
    actor,
    details: {
      ...{ agent_id: agentId, ...(slug !== undefined && { slug }), ...now },
      ...Object.fromEntries(changed.map(([name, value]) => [`${name}_before`, value])),
    },
  }
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

/** How the conversations of Agents are recorded. Rejects with `unavailable` while Postgres cannot be reached. */
export const createRecordingSettingsRepository = (database: Database) => ({
  /** The defaults when nothing was set for the Agent. */
  find: (workspaceId: string, agentId: string) =>
    database.inWorkspace(workspaceId, (transaction) => findSettings(transaction, workspaceId, agentId)),

  /** With an entry in the audit log, unless nothing changes. */
  put: (workspaceId: string, change: SettingsChange) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const { agentId, settings } = change
      // No other transaction may change the settings between the read and the write: the entry names the earlier values.
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
