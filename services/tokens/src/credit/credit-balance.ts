import { type CountedHolds, type CreditCounter, printCredit } from '@parlance/clients/credit'
import type { creditBalanceSchema } from '@parlance/contracts'
import type { Database } from '@parlance/store'
import type { z } from 'zod'
import { findSnapshot } from './snapshot-repository.js'

/**
 * All that is not spent, and the part of it that work holds now, as they were at one moment. Rejects with `unavailable`.
 *
 * The ledger settles a hold before the counter does. So the holds are read first, and those that the ledger has ended by
 * the time of its snapshot are left out: what is spent is neither in the balance nor reserved.
 */
export type ReadBalance = (workspaceId: string) => Promise<z.input<typeof creditBalanceSchema>>

interface LeaseHolds {
  /** Undefined where there is no counter. */
  readonly leaseId?: string
  readonly holds: CountedHolds['holds']
  /** Why the counter could not be read. */
  readonly error?: unknown
}

export const createReadBalance = ({
  database,
  counter,
}: {
  database: Database
  counter: Pick<CreditCounter, 'read' | 'listHolds'>
}): ReadBalance => {
  const readHolds = async (workspaceId: string): Promise<LeaseHolds> => {
    try {
      const reading = await counter.read(workspaceId)
      if (reading === undefined) return { holds: [] }
      const { leaseId } = reading
      const counted = reading.holds === 0 ? undefined : await counter.listHolds(workspaceId, leaseId, 'all')
      return { leaseId, holds: counted?.holds ?? [] }
    } catch (error) {
      return { holds: [], error }
    }
  }

  return async (workspaceId) => {
    const { leaseId, holds, error } = await readHolds(workspaceId)
    const ids = holds.map(({ id }) => id)
    const snapshot = await database.inWorkspace(workspaceId, (transaction) =>
      findSnapshot(transaction, workspaceId, ids),
    )
    const { balanceNano = 0n, leasedNano = 0n, openLeaseId = null, updatedAt = new Date() } = snapshot ?? {}
    // Where no lease gives, nothing is held.
    if (error !== undefined && openLeaseId !== null) throw error
    let reservedNano = 0n
    for (const { id, amountNano } of holds) if (!snapshot?.endedHolds.has(id)) reservedNano += amountNano
    // A lease that is not open has lost its counter, and its holds with it.
    if (openLeaseId !== leaseId) reservedNano = 0n
    return {
      balance: printCredit(balanceNano),
      unit: 'credit',
      reserved: printCredit(reservedNano < leasedNano ? reservedNano : leasedNano),
      updated_at: updatedAt.toISOString(),
    }
  }
}
