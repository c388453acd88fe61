import type { TtlStore } from '@parlance/store'
import { dropScript, fundScript, listReservationsScript, openScript, readScript } from './lease-scripts.js'
import { renewScript, reserveScript, resolveScript } from './reservation-scripts.js'

export interface CounterReading {
  readonly leaseId: string
  readonly leasedNano: bigint
  readonly settledNano: bigint
  readonly reservedNano: bigint
  /** The number of reservations, including those of zero credit. */
  readonly reservations: number
  /** The credit that can still be reserved during the term. */
  readonly freeNano: bigint
  readonly inTerm: boolean
}

export interface CountedReservations {
  /** The sum that the counter keeps. */
  readonly reservedNano: bigint
  readonly reservations: readonly { readonly id: string; readonly amountNano: bigint }[]
}

/**
 * The counters of all workspaces under the current epoch of the store; those of an earlier one count as absent. Every method
 * rejects with `ServiceError('unavailable')` while the store cannot be reached.
 */
export const createCreditCounter = (ttl: TtlStore) => {
  const keysOf = (workspaceId: string) => [`credit:{${workspaceId}}`]

  return {
    /** An empty counter, which replaces an earlier one. Reservations that are not renewed expire after `reservationLifeMs`. */
    async open(workspaceId: string, leaseId: string, reservationLifeMs: number): Promise<void> {
      await ttl.run(openScript, keysOf(workspaceId), [leaseId, `${Math.ceil(reservationLifeMs)}`])
    },
    /** Raises the leased sum to `leasedNano` and begins a term of `termMs`. False: absent. */
    async fund(workspaceId: string, leaseId: string, leasedNano: bigint, termMs: number): Promise<boolean> {
      const args = [leaseId, `${leasedNano}`, `${Math.ceil(termMs)}`]
      return (await ttl.run(fundScript, keysOf(workspaceId), args)) === 1
    },
    async read(workspaceId: string): Promise<CounterReading | undefined> {
      const found = await ttl.run(readScript, keysOf(workspaceId))
      if (found === null) return undefined
      const [leaseId, leased, settled, reserved, reservations, inTerm] = found
      const [leasedNano, settledNano, reservedNano] = [BigInt(leased), BigInt(settled), BigInt(reserved)]
      const freeNano = leasedNano - settledNano - reservedNano
      return { leaseId, leasedNano, settledNano, reservedNano, reservations, freeNano, inTerm: inTerm === 1 }
    },
    async listReservations(
      workspaceId: string,
      leaseId: string,
      which: 'all' | 'expired',
    ): Promise<CountedReservations | undefined> {
      const found = await ttl.run(listReservationsScript, keysOf(workspaceId), [leaseId, which])
      if (found === null) return undefined
      const [reserved = '', ...pairs] = found
      const reservations: { id: string; amountNano: bigint }[] = []
      for (let at = 0; at < pairs.length; at += 2)
        reservations.push({ id: pairs[at]!, amountNano: BigInt(pairs[at + 1]!) })
      return { reservedNano: BigInt(reserved), reservations }
    },
    /** Removes a counter without reservations whose term has passed; true when it did. */
    drop: async (workspaceId: string, leaseId: string): Promise<boolean> =>
      (await ttl.run(dropScript, keysOf(workspaceId), [leaseId])) === 1,

    /** Returns the lease of the reservation and its lifetime without renewal, or the reason why nothing was reserved. */
    async reserve(
      workspaceId: string,
      reservationId: string,
      amountNano: bigint,
    ): Promise<{ leaseId: string; lifeMs: number } | 'short' | 'absent'> {
      const answer = await ttl.run(reserveScript, keysOf(workspaceId), [reservationId, `${amountNano}`])
      return answer[0] === 'held' ? { leaseId: answer[1], lifeMs: Number(answer[2]) } : answer[0]
    },
    /** False: absent. */
    renew: async (workspaceId: string, leaseId: string, reservationId: string): Promise<boolean> =>
      (await ttl.run(renewScript, keysOf(workspaceId), [leaseId, reservationId])) === 1,
    /** Ends a reservation of which the lease paid `paidNano`. False: absent, or ended before. */
    resolve: async (workspaceId: string, leaseId: string, reservationId: string, paidNano: bigint): Promise<boolean> =>
      (await ttl.run(resolveScript, keysOf(workspaceId), [leaseId, reservationId, `${paidNano}`])) === 1,
  }
}

export type CreditCounter = ReturnType<typeof createCreditCounter>
