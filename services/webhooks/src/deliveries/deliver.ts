import type { Peppers } from '@parlance/clients/api-key'
import type { Database } from '@parlance/store'
import type { Logger, Metrics } from '@parlance/telemetry'
import { lockEndpoint } from '../endpoints/endpoint-repository.js'
import { openSecret } from '../endpoints/sealed-secret.js'
import {
  type Attempt,
  type DueDelivery,
  findDue,
  insertAttempt,
  lockDelivery,
  markFailure,
  markSucceeded,
} from './delivery-repository.js'
import { nextAttemptAt } from './delivery-schedule.js'
import { noteFailure, noteSuccess } from './endpoint-health.js'
import type { DeliveryJob, JobQueue } from './job-queue.js'
import type { SendEvent } from './send-event.js'

/**
 * Makes the attempt of a job, and writes its outcome and the next job in one transaction. Does nothing for a job that has
 * nothing to do any more. A process that ends in the middle leaves the delivery as it was, so its job is done again: an
 * endpoint may get an event twice, with the same id. Rejects where the database cannot be reached.
 */
export type Deliver = (job: DeliveryJob) => Promise<void>

export interface DeliverOptions {
  readonly database: Database
  readonly peppers: Peppers
  readonly jobs: Pick<JobQueue, 'schedule'>
  readonly send: SendEvent
  readonly now: () => Date
  readonly logger: Pick<Logger, 'warn'>
  readonly metrics: Pick<Metrics, 'webhookAttempt' | 'webhookDisabled'>
}

export const createDeliver = (options: DeliverOptions): Deliver => {
  const { database, peppers, jobs, send, now, logger, metrics } = options

  const secretsOf = async ({ workspaceId }: DeliveryJob, { endpointId, secrets }: DueDelivery): Promise<string[]> => {
    const opened = await Promise.all(secrets.map((sealed) => openSecret(peppers, { workspaceId, endpointId }, sealed)))
    return opened.flatMap((secret) => secret ?? [])
  }

  /** Resolves with whether the endpoint was disabled. */
  const record = (job: DeliveryJob, { endpointId }: DueDelivery, attempt: Attempt): Promise<boolean> =>
    database.inWorkspace(job.workspaceId, async (transaction) => {
      const at = now()
      const endpoint = { workspaceId: job.workspaceId, endpointId }
      // Locked before the delivery, as by those who disable it.
      if ((await lockEndpoint(transaction, job.workspaceId, endpointId)) === undefined) return false
      const delivery = await lockDelivery(transaction, job)
      await insertAttempt(transaction, job, attempt)
      if (attempt.error === null) {
        if (delivery !== undefined) await markSucceeded(transaction, job)
        await noteSuccess(transaction, endpoint)
        return false
      }
      if (delivery !== undefined) {
        const dueAt = nextAttemptAt(delivery.failures + 1, at)
        const next = await markFailure(transaction, job, dueAt)
        if (dueAt !== undefined) await jobs.schedule(transaction, next, dueAt)
      }
      return noteFailure(transaction, endpoint, at)
    })

  return async (job) => {
    const attemptedAt = now()
    const due = await findDue(database, job, attemptedAt)
    if (due === undefined) return
    const startedMs = performance.now()
    const { url, body, eventId } = due
    const outcome = await send({ url, body, eventId, secrets: await secretsOf(job, due) }, attemptedAt)
    const durationMs = performance.now() - startedMs
    metrics.webhookAttempt(outcome.error === null ? 'succeeded' : 'failed', durationMs)
    const isDisabled = await record(job, due, { attemptedAt, durationMs, ...outcome })
    if (!isDisabled) return
    metrics.webhookDisabled()
    const { workspaceId } = job
    logger.warn({ workspaceId, webhookId: due.endpointId }, 'A webhook that has failed for five days was disabled')
  }
}
