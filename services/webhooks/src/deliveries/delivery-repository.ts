import type { WebhookEventType } from '@parlance/contracts'
import { type Database, type Queryable, removeInBatches } from '@parlance/store'
import { findSealedSecrets, type SealedSecret } from '../endpoints/secret-repository.js'

/** A delivery that this process may attempt. The attempt has no effect when the delivery has another `run` by then. */
export interface ClaimedDelivery {
  readonly workspaceId: string
  readonly deliveryId: string
  readonly run: number
}

interface ClaimOptions {
  /** Deliveries of these workspaces are not claimed. */
  readonly exceptWorkspaces: readonly string[]
  readonly limit: number
  readonly now: Date
  /** Until then no other process claims them. After it, the process that claimed them counts as ended. */
  readonly until: Date
}

/** Claims deliveries whose attempt is due, the earliest first. Resolves with fewer than `limit` where no more are due. */
export const claimDeliveries = (
  database: Pick<Database, 'acrossWorkspaces'>,
  { exceptWorkspaces, limit, now, until }: ClaimOptions,
): Promise<ClaimedDelivery[]> =>
  database.acrossWorkspaces((transaction) =>
    transaction.query<ClaimedDelivery>(
      `update deliveries d set claimed_until = $2 from (
         select workspace_id, id from deliveries
         where status = 'pending' and next_attempt_at <= $1 and (claimed_until is null or claimed_until <= $1)
           and workspace_id <> all ($3::uuid[])
         order by next_attempt_at limit $4 for no key update skip locked) due
       where d.workspace_id = due.workspace_id and d.id = due.id
       returning d.workspace_id as "workspaceId", d.id as "deliveryId", d.run`,
      [now, until, exceptWorkspaces, limit],
    ),
  )

/** The data for an attempt. */
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

/** Undefined when the delivery has succeeded, was replayed or was given up since it was claimed. */
export const findDue = (
  database: Database,
  { workspaceId, deliveryId, run }: ClaimedDelivery,
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

/** Does nothing when the delivery was deleted. */
export const insertAttempt = async (
  transaction: Queryable,
  { workspaceId, deliveryId }: ClaimedDelivery,
  { attemptedAt, durationMs, status, response, error }: Attempt,
): Promise<void> => {
  await transaction.query(
    `insert into attempts (workspace_id, delivery_id, attempted_at, duration_ms, status, response, error)
     select workspace_id, id, $3::timestamptz, $4::int, $5::int, $6::text, $7::text from deliveries where workspace_id = $1 and id = $2`,
    [workspaceId, deliveryId, attemptedAt, Math.round(durationMs), status, response, error],
  )
}

/** Locks the delivery if its run is still the same. Resolves with the number of failures since the schedule began. */
export const lockDelivery = async (
  transaction: Queryable,
  { workspaceId, deliveryId, run }: ClaimedDelivery,
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
  { workspaceId, deliveryId }: ClaimedDelivery,
): Promise<void> => {
  await transaction.query(
    `update deliveries set status = 'succeeded', next_attempt_at = null, claimed_until = null where workspace_id = $1 and id = $2`,
    [workspaceId, deliveryId],
  )
}

/** Takes the time of the next attempt, or undefined when the delivery is given up. */
export const markFailure = async (
  transaction: Queryable,
  { workspaceId, deliveryId }: ClaimedDelivery,
  nextAttemptAt: Date | undefined,
): Promise<void> => {
  await transaction.query(
    `update deliveries set status = case when $3::timestamptz is null then 'failed' else 'pending' end,
       next_attempt_at = $3, claimed_until = null, failures = failures + 1, run = run + 1
     where workspace_id = $1 and id = $2`,
    [workspaceId, deliveryId, nextAttemptAt ?? null],
  )
}

/** Restarts the schedule. Resolves with whether the endpoint has such a delivery. */
export const restartDelivery = async (
  transaction: Queryable,
  { workspaceId, endpointId, deliveryId }: { workspaceId: string; endpointId: string; deliveryId: string },
  now: Date,
): Promise<boolean> => {
  const restarted = await transaction.query(
    `update deliveries set status = 'pending', next_attempt_at = $4, claimed_until = null, failures = 0, run = run + 1
     where workspace_id = $1 and endpoint_id = $2 and id = $3 returning id`,
    [workspaceId, endpointId, deliveryId, now],
  )
  return restarted.length > 0
}

/** Gives up all undelivered events of an endpoint. */
export const abandonDeliveries = async (
  transaction: Queryable,
  workspaceId: string,
  endpointId: string,
): Promise<void> => {
  await transaction.query(
    `update deliveries set status = 'failed', next_attempt_at = null, claimed_until = null, run = run + 1
     where workspace_id = $1 and endpoint_id = $2 and status = 'pending'`,
    [workspaceId, endpointId],
  )
}

/**
 * Removes events from before a time with their deliveries, also those of deleted endpoints. Undelivered events
 * are kept.
 */
export const removeOldEvents = (database: Database, before: Date, signal?: AbortSignal): Promise<number> =>
  removeInBatches(
    database,
    {
      from: 'events e',
      where: `e.created_at < $1 and not exists (
        select from deliveries d where d.workspace_id = e.workspace_id and d.event_id = e.id and d.status = 'pending')`,
      parameters: [before],
    },
    signal,
  )
