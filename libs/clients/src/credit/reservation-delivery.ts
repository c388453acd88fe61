import { setMaxListeners } from 'node:events'
import { createBatcher, retry } from '@parlance/async'
import type { Client } from '@parlance/bus'
import {
  type creditContract,
  maxReservationEnds,
  type ReservationEnd,
  type ReservationOutcome,
  toServiceError,
} from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'

const backoff = { firstMs: 50, maxMs: 2_000 }
/** The ends of reservations are batched, since a request with many costs no more than one with a single end. */
const intervalMs = 100
const eagerEnds = 16

/**
 * Reports the ends of reservations to the ledger, in batches, until the ledger answers. When the ledger refuses a batch, its
 * ends are reported one by one, so that one of them cannot prevent the charges of the others.
 */
export const createReservationDelivery = (credit: Pick<Client<typeof creditContract>, 'resolve'>, logger: Logger) => {
  const giveUp = new AbortController()
  const { signal } = giveUp
  // Every request in progress listens to it, and there may be many while the ledger does not answer.
  setMaxListeners(0, signal)

  const mayRetry = (error: unknown) => toServiceError(error).retryable
  const batcher = createBatcher<ReservationEnd, ReservationOutcome | undefined>({
    async run(endings) {
      const report = () => credit.resolve({ endings: [...endings] }, { signal })
      return (await retry(report, { backoff, signal, shouldRetry: mayRetry })).outcomes
    },
    maxItems: maxReservationEnds,
    intervalMs,
    eagerItems: eagerEnds,
    concurrency: Number.POSITIVE_INFINITY,
    shouldSplit: (error) => !signal.aborted && !mayRetry(error),
  })

  const logOutcome = (
    { hold: { workspace_id: workspaceId } }: ReservationEnd,
    outcome: ReservationOutcome | undefined,
  ) => {
    if (outcome === undefined || 'refused' in outcome) {
      const err = new Error(outcome?.refused ?? 'the reply has no outcome for it')
      logger.error({ workspaceId, err }, 'The ledger refused the end of a credit reservation')
    } else if (outcome.resolution === 'expired') {
      logger.warn({ workspaceId }, 'A credit reservation expired before it was settled')
    }
  }
  const logFailure = ({ hold: { workspace_id: workspaceId } }: ReservationEnd, err: unknown) => {
    if (signal.aborted) logger.error({ workspaceId }, 'The end of a credit reservation was not reported to the ledger')
    else logger.error({ workspaceId, err }, 'The ledger refused the end of a credit reservation')
  }

  return {
    /** Resolves when the ledger has answered, or will not answer. Never rejects. */
    deliver: (ending: ReservationEnd): Promise<void> =>
      batcher.add(ending).then(
        (outcome) => logOutcome(ending, outcome),
        (error) => logFailure(ending, error),
      ),
    /** Resolves when every end is confirmed, or after `limitMs`, when the unconfirmed ones are dropped. */
    async finish(limitMs: number): Promise<void> {
      const timer = setTimeout(() => giveUp.abort(), limitMs)
      await batcher.flush()
      clearTimeout(timer)
    },
  }
}
