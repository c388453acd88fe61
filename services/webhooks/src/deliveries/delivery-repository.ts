import type { WebhookEventType } from '@parlance/contracts'
import type { Database, Queryable } from '@parlance/store'
import type { SealedSecret } from '../endpoints/sealed-secret.js'
import { findSealedSecrets } from '../endpoints/secret-repository.js'
import type { DeliveryJob } from './job-queue.js'

/** A delivery whose attempt is due. */
export interface DueDelivery {
  readonly endpointId: string
  readonly url: string
  readonly eventId: string
  readonly type: WebhookEventType
  readonly body: string
  readonly secrets: readonly SealedSecret[]
}

interface DueRow {
  endpoint_id: string
  url: string
  event_id: string
  type: WebhookEventType
  body: string
}

/** Undefined where the job has nothing to do any more: it was done, replaced, or given up. */
export const findDue = (
  database: Database,
  { workspaceId, deliveryId, run }: DeliveryJob,
  now: Date,
): Promise<DueDelivery | undefined> =>
  database.inWorkspace(workspaceId, async (transaction) => {
    const [row] = await transaction.query<DueRow>(
      `select d.endpoint_id, p.url, d.event_id, e.type, e.body
       from deliveries d
         join endpoints p on p.workspace_id = $1 and p.id = d.endpoint_id
         join events e on e.workspace_id = $1 and e.id = d.event_id
       where d.workspace_id = $1 and d.id = $2 and d.run = $3 and d.status = 'pending'`,
      [workspaceId, deliveryId, run],
    )
    if (row === undefined) return undefined
    const { endpoint_id: endpointId, event_id: eventId, ...rest } = row
    const secrets = await findSealedSecrets(transaction, { workspaceId, endpointId }, now)
    return { endpointId, eventId, ...rest, secrets }
  })

export interface Attempt {
  readonly attemptedAt: Date
  readonly durationMs: number
  readonly status: number | null
  readonly response: string | null
  readonly error: string | null
}

/** Does nothing where the delivery was deleted. */
export const insertAttempt = async (
  transaction: Queryable,
  { workspaceId, deliveryId }: DeliveryJob,
  { attemptedAt, durationMs, status, response, error }: Attempt,
): Promise<void> => {
  await transaction.query(
    `insert into attempts (workspace_id, delivery_id, attempted_at, duration_ms, status, response, error)
     select workspace_id, id, $3::timestamptz, $4::int, $5::int, $6::text, $7::text from deliveries where workspace_id = $1 and id = $2`,
    [workspaceId, deliveryId, attemptedAt, Math.round(durationMs), status, response, error],
  )
}

/** Locks the delivery of a job that is still its own. Resolves with its failures since the schedule began. */
export const lockDelivery = async (
  transaction: Queryable,
  { workspaceId, deliveryId, run }: DeliveryJob,
): Promise<{ failures: number } | undefined> => {
  const [row] = await transaction.query<{ failures: number }>(
    `select failures from deliveries where workspace_id = $1 and id = $2 and run = $3 and status = 'pending'
     for no key update`,
    [workspaceId, deliveryId, run],
  )
  return row
}

export const markSucceeded = async (
  transaction: Queryable,
  { workspaceId, deliveryId }: DeliveryJob,
): Promise<void> => {
  await transaction.query(
    `update deliveries set status = 'succeeded', next_attempt_at = null where workspace_id = $1 and id = $2`,
    [workspaceId, deliveryId],
  )
}

/** With the time of the next attempt, or without one. Resolves with the job of the next attempt. */
export const markFailure = async (
  transaction: Queryable,
  { workspaceId, deliveryId }: DeliveryJob,
  nextAttemptAt: Date | undefined,
): Promise<DeliveryJob> => {
  const [row] = await transaction.query<{ run: number }>(
    `update deliveries set status = case when $3::timestamptz is null then 'failed' else 'pending' end,
       next_attempt_at = $3, failures = failures + 1, run = run + 1
     where workspace_id = $1 and id = $2 returning run`,
    [workspaceId, deliveryId, nextAttemptAt ?? null],
  )
  return { workspaceId, deliveryId, run: row!.run }
}

/** Begins the schedule again. Resolves with the job; undefined when the endpoint has no such delivery. */
export const restartDelivery = async (
  transaction: Queryable,
  { workspaceId, endpointId, deliveryId }: { workspaceId: string; endpointId: string; deliveryId: string },
  now: Date,
): Promise<DeliveryJob | undefined> => {
  const [row] = await transaction.query<{ run: number }>(
    `update deliveries set status = 'pending', next_attempt_at = $4, failures = 0, run = run + 1
     where workspace_id = $1 and endpoint_id = $2 and id = $3 returning run`,
    [workspaceId, endpointId, deliveryId, now],
  )
  return row && { workspaceId, deliveryId, run: row.run }
}

/** Gives up what is not delivered yet to an endpoint. */
export const abandonDeliveries = async (
  transaction: Queryable,
  workspaceId: string,
  endpointId: string,
): Promise<void> => {
  await transaction.query(
    `update deliveries set status = 'failed', next_attempt_at = null, run = run + 1
     where workspace_id = $1 and endpoint_id = $2 and status = 'pending'`,
    [workspaceId, endpointId],
  )
}

/** Removes events that came before a time, with their deliveries. Those that are not delivered yet are kept. */
export const removeOldEvents = (database: Database, before: Date): Promise<number> =>
  database.acrossWorkspaces(async (transaction) => {
    const removed = await transaction.query(
      `delete from events e where e.created_at < $1 and not exists (
         select from deliveries d where d.workspace_id = e.workspace_id and d.event_id = e.id and d.status = 'pending')
       returning e.id`,
      [before],
    )
    return removed.length
  })
