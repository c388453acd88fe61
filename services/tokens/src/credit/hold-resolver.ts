/**
 * Ends holds in batches, one transaction each, so that one busy workspace can end thousands a second and a steady stream
 * costs little. A hold that cannot be ended does not prevent the others of its batch from ending.
 *
 * The ledger is written first. Its entries are then applied to the counter; where that fails, the reaper finds a hold that
 * the ledger has ended, and applies it.
 */
import { createBatcher } from '@parlance/async'
import type { CreditCounter } from '@parlance/clients/credit'
import { toServiceError } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { HoldToEnd } from './end-holds.js'
import type { EndedHold } from './hold-repository.js'

export interface HoldResolverOptions {
  endHolds(endings: readonly HoldToEnd[]): Promise<readonly (EndedHold | undefined)[]>
  counter: CreditCounter
  logger: Logger
  /** From the start of one transaction to that of the next, unless many holds are waiting. */
  intervalMs: number
}

/** How the hold ended, now or before. Undefined: its lease does not exist. Rejects with `unavailable`. */
export type HoldResolver = (ending: HoldToEnd) => Promise<EndedHold | undefined>

const maxHoldsPerTransaction = 500
const eagerHolds = 32

export const applyToCounter = async (counter: CreditCounter, ended: EndedHold): Promise<void> => {
  await counter.resolve(ended.workspaceId, ended.leaseId, ended.id, ended.paidByLeaseNano)
}

export const createHoldResolver = ({ endHolds, counter, logger, intervalMs }: HoldResolverOptions): HoldResolver => {
  const batcher = createBatcher({
    run: endHolds,
    maxItems: maxHoldsPerTransaction,
    intervalMs,
    eagerItems: eagerHolds,
    shouldSplit: (error) => toServiceError(error).code !== 'unavailable',
  })

  return async (ending) => {
    const ended = await batcher.add(ending)
    if (ended === undefined) return undefined
    if (ended.uncoveredNano > 0n) {
      logger.error({ workspaceId: ending.workspaceId }, 'there was no credit left for a part of a charge')
    }
    await applyToCounter(counter, ended).catch(() => {})
    return ended
  }
}
