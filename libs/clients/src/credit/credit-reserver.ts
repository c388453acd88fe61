/**
 * Reserves credit for work that runs in this process, and ends each reservation.
 *
 * - A reservation is made in the counter. A lease is requested only when the counter has not enough credit or is absent.
 * - A reservation ends once, by the first call of `settle` or `release`. It is renewed until the ledger has confirmed that.
 * - The end of a reservation is reported until the ledger answers. The ledger knows reservations by their ids, so no charge is
 *   made twice.
 * - Reservations of a process that is killed expire, and their credit returns.
 */
import { randomUUID } from 'node:crypto'
import type { CallContext, Client } from '@parlance/bus'
import { type creditContract, type Reservation, ServiceError, type Usage } from '@parlance/contracts'
import type { TtlStore } from '@parlance/store'
import type { Logger, Metrics } from '@parlance/telemetry'
import { createCreditCounter } from './counter/credit-counter.js'
import { maxReservedNano, milliCredits, parseCredit, printCredit } from './credit-amount.js'
import { createLeaseCalls } from './lease-calls.js'
import { createReservationDelivery } from './reservation-delivery.js'

export interface ReserveRequest {
  workspaceId: string
  /** In billionths of a credit, not negative. */
  amountNano: bigint
  context?: CallContext
}

/**
 * Credit that is reserved until it is settled or released. Only the first call has an effect. Amounts are in
 * nano-credits.
 */
export interface CreditReservation {
  readonly reservation: Reservation
  /** Charges `chargeNano` and returns the rest. Throws `RangeError` for more than the amount. */
  settle(chargeNano: bigint, usage: Usage): void
  /** Returns the whole amount. */
  release(): void
}

interface CreditReserverOptions {
  ttl: TtlStore
  credit: Pick<Client<typeof creditContract>, 'lease' | 'resolve'>
  logger: Logger
  metrics?: Pick<Metrics, 'creditReserved' | 'creditEnded'>
  /** How long `stop` may take, in ms. */
  stopWithinMs?: number
}

/** Other callers may reserve the credit that was leased for this one. */
const maxAttempts = 10

/** Reserves credit of workspaces from leases, and reports to the ledger how reservations end. */
export const createCreditReserver = (options: CreditReserverOptions) => {
  const { ttl, credit, logger, metrics, stopWithinMs = 5_000 } = options
  const counter = createCreditCounter(ttl)
  const leases = createLeaseCalls(credit)
  const delivery = createReservationDelivery(credit, logger)
  const renewals = new Set<NodeJS.Timeout>()
  let stopped = false

  const keepAlive = ({ workspace_id, lease_id, id }: Reservation, lifeMs: number): (() => void) => {
    const timer = setInterval(() => {
      // An absent reservation was ended by the ledger or lost with its counter. The outcome of its end will show which.
      const end = (isPresent: boolean) => !isPresent && stop()
      counter.renew(workspace_id, lease_id, id).then(end, () => undefined)
    }, lifeMs / 3)
    const stop = () => {
      clearInterval(timer)
      renewals.delete(timer)
    }
    timer.unref()
    renewals.add(timer)
    return stop
  }

  const begin = (reservation: Reservation, lifeMs: number): CreditReservation => {
    const stopRenewing = keepAlive(reservation, lifeMs)
    const amountNano = parseCredit(reservation.amount)
    let ended = false
    metrics?.creditReserved(milliCredits(amountNano))
    const end = (chargeNano: bigint, usage: Usage | null) => {
      if (ended) return
      ended = true
      metrics?.creditEnded(usage === null ? 'released' : 'settled', milliCredits(amountNano), milliCredits(chargeNano))
      void delivery.deliver({ hold: reservation, charge: printCredit(chargeNano), usage }).finally(stopRenewing)
    }
    return {
      reservation,
      settle(chargeNano, usage) {
        if (chargeNano < 0n || chargeNano > amountNano)
          throw new RangeError('a charge must not exceed the reserved amount')
        end(chargeNano, usage)
      },
      release: () => end(0n, null),
    }
  }

  return {
    /** Rejects with `insufficient_credit`, or with `unavailable` while the store or the ledger cannot be reached. */
    async reserve({ workspaceId, amountNano, context }: ReserveRequest): Promise<CreditReservation> {
      if (amountNano < 0n) throw new RangeError('an amount to reserve must not be negative')
      if (amountNano > maxReservedNano) {
        throw new ServiceError('insufficient_credit', 'This is more credit than can be reserved at once.')
      }
      const reservationId = randomUUID()
      let isExhausted = false
      for (let attempt = 0; attempt < maxAttempts && !stopped; attempt++) {
        const reserved = await counter.reserve(workspaceId, reservationId, amountNano)
        if (typeof reserved === 'object') {
          const amount = printCredit(amountNano)
          return begin(
            { id: reservationId, workspace_id: workspaceId, lease_id: reserved.leaseId, amount },
            reserved.lifeMs,
          )
        }
        if (isExhausted) throw new ServiceError('insufficient_credit', 'There is not enough credit left for this.')
        isExhausted = (await leases.ask(workspaceId, amountNano, context)) === 'insufficient'
      }
      throw new ServiceError('unavailable', 'Credit cannot be reserved now. Try again.')
    },
    /** Reports the ends that are not confirmed yet, within `stopWithinMs`. Reservations that have not ended will expire. */
    async stop(): Promise<void> {
      stopped = true
      await delivery.finish(stopWithinMs)
      for (const timer of renewals) clearInterval(timer)
    },
  }
}

export type CreditReserver = ReturnType<typeof createCreditReserver>
