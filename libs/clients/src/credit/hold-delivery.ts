import { setMaxListeners } from 'node:events'
import { createBatcher, retry } from '@parlance/async'
import type { Client } from '@parlance/bus'
import {
  type creditContract,
  type HoldEnding,
  type HoldOutcome,
  mostHoldsEnded,
  toServiceError,
} from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'

const backoff = { firstMs: 50, maxMs: 2_000 }
/** A request costs the bus and the ledger the same for one ending as for many. */
const intervalMs = 100
const eagerEndings = 16

/**
 * Reports to the ledger how holds ended, in batches, again until the ledger answers. Where the ledger refuses a batch, its
 * endings are reported one by one, so that one of them cannot prevent the charges of the others.
 */
export const createHoldDelivery = (credit: Pick<Client<typeof creditContract>, 'resolve'>, logger: Logger) => {
  const giveUp = new AbortController()
  const { signal } = giveUp
  // Every request that is under way listens to it, and there may be many while the ledger does not answer.
  setMaxListeners(0, signal)

  const mayRetry = (error: unknown) => toServiceError(error).retryable
  const batcher = createBatcher<HoldEnding, HoldOutcome | undefined>({
    async run(endings) {
      const report = () => credit.resolve({ endings: [...endings] }, { signal })
      return (await retry(report, { backoff, signal, shouldRetry: mayRetry })).outcomes
    },
    maxItems: mostHoldsEnded,
    intervalMs,
    eagerItems: eagerEndings,
    concurrency: Number.POSITIVE_INFINITY,
    shouldSplit: (error) => !signal.aborted && !mayRetry(error),
  })

  const logOutcome = ({ hold: { workspace_id: workspaceId } }: HoldEnding, outcome: HoldOutcome | undefined) => {
    if (outcome === undefined || 'refused' in outcome) {
      const err = new Error(outcome?.refused ?? 'the answer has no outcome for it')
      logger.error({ workspaceId, err }, 'the ledger refused the end of a credit reservation')
    } else if (outcome.resolution === 'expired') {
      logger.warn({ workspaceId }, 'a credit reservation expired before it was settled')
    }
  }
  const logFailure = ({ hold: { workspace_id: workspaceId } }: HoldEnding, err: unknown) => {
    if (signal.aborted) logger.error({ workspaceId }, 'the end of a credit reservation was not reported to the ledger')
    else logger.error({ workspaceId, err }, 'the ledger refused the end of a credit reservation')
  }

  return {
    /** Resolves when the ledger has answered, or no answer will come. Never rejects. */
    deliver: (ending: HoldEnding): Promise<void> =>
      batcher.add(ending).then(
        (outcome) => logOutcome(ending, outcome),
        (error) => logFailure(ending, error),
      ),
    /** Resolves when every ending is delivered, or after `limitMs`, when the others are given up. */
    async finish(limitMs: number): Promise<void> {
      const timer = setTimeout(() => giveUp.abort(), limitMs)
      await batcher.flush()
      clearTimeout(timer)
    },
  }
}
