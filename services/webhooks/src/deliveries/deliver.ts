import type { Peppers } from '@parlance/clients/api-key'
import type { Database } from '@parlance/store'
import type { Logger, Metrics } from '@parlance/telemetry'
import { lockEndpoint } from '../endpoints/endpoint-repository.js'
import { openSecret } from '../endpoints/secret-repository.js'
import {
  type Attempt,
  type ClaimedDelivery,
  type DueDelivery,
  findDue,
  insertAttempt,
  lockDelivery,
  markFailure,
  markSucceeded,
} from './delivery-repository.js'
import { nextAttemptAt, noteFailure, noteSuccess } from './endpoint-health.js'
import type { SendEvent } from './send-event.js'

/**
 * Attempts a delivery, and writes the outcome and the time of the next attempt in one transaction. Does nothing when the
 * delivery has succeeded, was replayed or was given up since it was claimed. When a process ends during an attempt, another
 * claims the delivery later: an endpoint may get an event twice, with the same id. Rejects where the database cannot be
 * reached.
 */
export type Deliver = (claimed: ClaimedDelivery) => Promise<void>

interface DeliverOptions {
  readonly database: Database
  readonly peppers: Peppers
  readonly send: SendEvent
  readonly now: () => Date
  readonly logger: Pick<Logger, 'warn'>
  readonly metrics: Pick<Metrics, 'webhookAttempt' | 'webhookDisabled'>
}

export const createDeliver = (options: DeliverOptions): Deliver => {
  const { database, peppers, send, now, logger, metrics } = options

  const secretsOf = async (
    { workspaceId }: ClaimedDelivery,
    { endpointId, secrets }: DueDelivery,
  ): Promise<string[]> => {
    const opened = await Promise.all(secrets.map((sealed) => openSecret(peppers, { workspaceId, endpointId }, sealed)))
    return opened.flatMap((secret) => secret ?? [])
  }

  /** Resolves with true when this disabled the endpoint. */
  const record = (claimed: ClaimedDelivery, { endpointId }: DueDelivery, attempt: Attempt): Promise<boolean> =>
    database.inWorkspace(claimed.workspaceId, async (transaction) => {
      const at = now()
      const endpoint = { workspaceId: claimed.workspaceId, endpointId }
      // Locked before the delivery, in the same order as when it is disabled.
      if ((await lockEndpoint(transaction, claimed.workspaceId, endpointId)) === undefined) return false
      const delivery = await lockDelivery(transaction, claimed)
      await insertAttempt(transaction, claimed, attempt)
      if (attempt.error === null) {
        if (delivery !== undefined) await markSucceeded(transaction, claimed)
        await noteSuccess(transaction, endpoint)
        return false
      }
      if (delivery !== undefined) {
        await markFailure(transaction, claimed, nextAttemptAt(delivery.failures + 1, at))
      }
      return noteFailure(transaction, endpoint, at)
    })

  return async (claimed) => {
    const attemptedAt = now()
    const due = await findDue(database, claimed, attemptedAt)
    if (due === undefined) return
    const startedMs = performance.now()
    const { url, body, eventId } = due
    const outcome = await send({ url, body, eventId, secrets: await secretsOf(claimed, due) }, attemptedAt)
    const durationMs = performance.now() - startedMs
    metrics.webhookAttempt(outcome.error === null ? 'succeeded' : 'failed', durationMs)
    const isDisabled = await record(claimed, due, { attemptedAt, durationMs, ...outcome })
    if (!isDisabled) return
    metrics.webhookDisabled()
    const { workspaceId } = claimed
    logger.warn({ workspaceId, webhookId: due.endpointId }, 'A webhook that has failed for five days was disabled')
  }
}
