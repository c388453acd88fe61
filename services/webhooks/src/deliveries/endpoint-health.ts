/** Records the outcomes of attempts. An endpoint that has only failed for too long is disabled. */
import { addToAuditLog } from '@parlance/clients/outbox'
import type { Queryable } from '@parlance/store'
import { hostOf } from '../endpoints/audit-events.js'
import type { EndpointName } from '../endpoints/sealed-secret.js'
import { abandonDeliveries } from './delivery-repository.js'
import { hasFailedTooLong } from './delivery-schedule.js'

export const noteSuccess = async (transaction: Queryable, { workspaceId, endpointId }: EndpointName): Promise<void> => {
  await transaction.query(
    'update endpoints set failing_since = null where workspace_id = $1 and id = $2 and failing_since is not null',
    [workspaceId, endpointId],
  )
}

interface FailingRow {
  url: string
  failing_since: Date
  enabled: boolean
}

/** Disables the endpoint if it has failed for too long, with an entry in the audit log. Resolves with true if it did. */
export const noteFailure = async (
  transaction: Queryable,
  { workspaceId, endpointId }: EndpointName,
  now: Date,
): Promise<boolean> => {
  const [row] = await transaction.query<FailingRow>(
    `update endpoints set failing_since = coalesce(failing_since, $3) where workspace_id = $1 and id = $2
     returning url, failing_since, enabled`,
    [workspaceId, endpointId, now],
  )
  if (row === undefined || !row.enabled || !hasFailedTooLong(row.failing_since, now)) return false
  await transaction.query(
    `update endpoints set enabled = false, disabled_reason = 'failing', disabled_at = $3, updated_at = $3
     where workspace_id = $1 and id = $2`,
    [workspaceId, endpointId, now],
  )
  await abandonDeliveries(transaction, workspaceId, endpointId)
  await addToAuditLog(transaction, workspaceId, {
    action: 'webhook.disabled',
    actor: { kind: 'operator', id: null },
    details: { webhook_id: endpointId, host: hostOf(row), failing_since: row.failing_since.toISOString() },
  })
  return true
}
