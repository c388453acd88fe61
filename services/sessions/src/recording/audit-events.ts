/** The events of recordings in the audit log. */
import { addToAuditLog } from '@parlance/clients/outbox'
import type { AuditActor, AuditEvent, RecordingSettings } from '@parlance/contracts'
import type { Queryable } from '@parlance/store'
import type { SettingsChange } from './settings-repository.js'

const wordsOf = ({ enabled, consent_required, retention_days }: RecordingSettings) => ({
  recording: enabled ? 'on' : 'off',
  consent: consent_required ? 'required' : 'not required',
  retention_days,
})

/** The settings after the change, and those that were others before, such as `recording_before`. */
export const settingsEvent = (
  { agentId, slug, actor, settings }: SettingsChange,
  before: RecordingSettings,
): AuditEvent => {
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

/** In SQL: the recording has audio, or will have, and is not to be deleted yet. */
export const isKept = `state in ('recording', 'stored') and removal_at is null and (expires_at is null or expires_at > now())`

/** To be called before a conversation is removed, which removes its recording. Adds nothing where there is none. */
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

/** `count` is the number of recordings of the end user that are to be deleted now. Adds nothing where there are none. */
export const auditRemovalOfEndUser = async (
  transaction: Queryable,
  workspaceId: string,
  removal: { readonly endUserId: string; readonly count: number; readonly actor: AuditActor },
): Promise<void> => {
  const { endUserId, count, actor } = removal
  if (count === 0) return
  const details = { end_user_id: endUserId, recordings: count, deleted_with: 'the data of their end user' }
  await addToAuditLog(transaction, workspaceId, { action: 'recording.deleted', actor, details })
}
