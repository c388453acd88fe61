/** Records the outcomes of attempts. An endpoint that has only failed for too long is disabled. */
import { addToAuditLog } from '@parlance/clients/outbox'
import type { Queryable } from '@parlance/store'
import { hostOf } from '../endpoints/endpoint-repository.js'
import type { EndpointName } from '../endpoints/secret-repository.js'
import { abandonDeliveries } from './delivery-repository.js'

/** The schedule of a delivery, and how long an endpoint may fail. Times are in ms. */

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000]

/** The delay after each failed attempt. A failure without a further delay fails the delivery. */
export const retryDelaysMs: readonly number[] = [
  ...[5 * secondMs, 5 * minuteMs, 30 * minuteMs],
  ...[2 * hourMs, 5 * hourMs, 10 * hourMs],
]

/**
 * When the next attempt is due after `failures` failed attempts, of which the last was at `now`. Undefined when there is no
 * next attempt.
 */
export const nextAttemptAt = (failures: number, now: Date): Date | undefined => {
  const delayMs = retryDelaysMs[failures - 1]
  return delayMs === undefined ? undefined : new Date(now.getTime() + delayMs)
}

const maxFailingMs = 5 * 24 * hourMs

/** Whether an endpoint without a success since `failingSince` is disabled at `now`. */
export const hasFailedTooLong = (failingSince: Date, now: Date): boolean =>
  now.getTime() - failingSince.getTime() >= maxFailingMs

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
