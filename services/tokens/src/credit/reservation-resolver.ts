/**
 * Ends reservations in batches, one transaction each, so that one busy workspace can end thousands a second and a steady
 * stream costs little. A reservation that cannot be ended does not prevent the others of its batch from ending.
 *
 * The ledger is written first, then the counter. Where the counter cannot be written, the reaper does it later.
 */
import { createBatcher } from '@parlance/async'
import type { CreditCounter } from '@parlance/clients/credit'
import { toServiceError } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { ReservationToEnd } from './end-reservations.js'
import type { EndedReservation } from './reservation-repository.js'

interface ReservationResolverOptions {
  endReservations(endings: readonly ReservationToEnd[]): Promise<readonly (EndedReservation | undefined)[]>
  counter: CreditCounter
  logger: Logger
  /** From the start of one transaction to that of the next, unless many reservations are waiting. */
  intervalMs: number
}

/** How the reservation ended, now or before. Undefined: its lease does not exist. Rejects with `unavailable`. */
export type ReservationResolver = (ending: ReservationToEnd) => Promise<EndedReservation | undefined>

const maxReservationsPerTransaction = 500
const eagerReservations = 32

export const applyToCounter = async (counter: CreditCounter, ended: EndedReservation): Promise<void> => {
  await counter.resolve(ended.workspaceId, ended.leaseId, ended.id, ended.paidByLeaseNano)
}

export const createReservationResolver = ({
  endReservations,
  counter,
  logger,
  intervalMs,
}: ReservationResolverOptions): ReservationResolver => {
  const batcher = createBatcher({
    run: endReservations,
    maxItems: maxReservationsPerTransaction,
    intervalMs,
    eagerItems: eagerReservations,
    shouldSplit: (error) => toServiceError(error).code !== 'unavailable',
  })

  return async (ending) => {
    const ended = await batcher.add(ending)
    if (ended === undefined) return undefined
    if (ended.uncoveredNano > 0n) {
      logger.error({ workspaceId: ending.workspaceId }, 'Part of a charge was not covered by credit')
    }
    await applyToCounter(counter, ended).catch(() => {})
    return ended
  }
}
