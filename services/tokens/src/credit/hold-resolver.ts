/**
 * Ends holds, many in one transaction: after each one rests for a moment, unless many wait already, and what comes
 * meanwhile goes together in the next. That lets a single busy workspace end thousands in a second, and a steady stream of
 * them cost little; the first after a pause waits for nothing.
 *
 * One that cannot be ended does not keep the others from it: where they fail together they are ended one by one.
 *
 * The ledger comes first. What it has written is then applied to the counter; where that fails, whoever looks after the
 * counter finds a hold that the ledger has ended, and applies it.
 */

import type { CreditCounter } from '@parlance/clients/credit'
import { toServiceError } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { HoldToEnd } from './end-holds.js'
import type { EndedHold } from './hold-repository.js'

export interface HoldResolverOptions {
  endHolds(endings: readonly HoldToEnd[]): Promise<readonly (EndedHold | undefined)[]>
  counter: CreditCounter
  logger: Logger
  /** How long it rests, in ms. */
  restMs: number
}

/** How the hold ended, now or before. Undefined: it is of no lease that exists. Rejects with `unavailable`. */
export type HoldResolver = (ending: HoldToEnd) => Promise<EndedHold | undefined>

const mostAtOnce = 500
/** So many are worth a transaction at once. */
const enough = 32

interface Waiting {
  readonly ending: HoldToEnd
  resolve(ended: EndedHold | undefined | Promise<EndedHold>): void
  reject(reason: unknown): void
}

export const applyToCounter = async (counter: CreditCounter, ended: EndedHold): Promise<void> => {
  await counter.resolve(ended.workspaceId, ended.leaseId, ended.id, ended.paidByLeaseNano)
}

export const createHoldResolver = ({ endHolds, counter, logger, restMs }: HoldResolverOptions): HoldResolver => {
  const waiting: Waiting[] = []
  let running = false
  let goOn = () => {}

  const applied = async (ended: EndedHold): Promise<EndedHold> => {
    await applyToCounter(counter, ended).catch(() => {})
    return ended
  }
  const endNext = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const outcomes = await endHolds(batch.map(({ ending }) => ending))
      for (const [index, { ending, resolve }] of batch.entries()) {
        const ended = outcomes[index]
        if (ended !== undefined && ended.uncoveredNano > 0n) {
          logger.error({ workspaceId: ending.workspaceId }, 'there was no credit left for a part of a charge')
        }
        resolve(ended && applied(ended))
      }
    } catch (error) {
      if (batch.length > 1 && toServiceError(error).code !== 'unavailable') {
        for (const one of batch) await endNext([one])
      } else {
        for (const { reject } of batch) reject(error)
      }
    }
  }
  const rest = async (): Promise<void> => {
    if (restMs === 0 || waiting.length >= enough) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, restMs).unref()
      goOn = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
  const run = async (): Promise<void> => {
    running = true
    // All that arrives in the same turn goes together.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      await endNext(waiting.splice(0, mostAtOnce))
      await rest()
    }
    running = false
  }

  return (ending) =>
    new Promise((resolve, reject) => {
      waiting.push({ ending, resolve, reject })
      if (!running) void run()
      else if (waiting.length >= enough) goOn()
    })
}
