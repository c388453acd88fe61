import { type creditBalanceSchema, ServiceError } from '@parlance/contracts'
import { type CreditCounter, printCredit } from '@parlance/credit'
import type { Database } from '@parlance/store'
import type { z } from 'zod'
import { findOpenLeases } from './lease-repository.js'
import { findAccount } from './ledger.js'

export interface CreditBalances {
  /** All that is not spent, and the part of it that work holds now. Rejects with `unavailable`. */
  getBalance(workspaceId: string): Promise<z.input<typeof creditBalanceSchema>>
  /** Rejects with `insufficient_credit` when there is nothing that could be reserved, and with `unavailable`. */
  requireCredit(workspaceId: string): Promise<void>
}

export const createCreditBalances = (database: Database, counter: CreditCounter): CreditBalances => {
  const look = (workspaceId: string) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const account = await findAccount(transaction, workspaceId)
      const [lease] = account ? await findOpenLeases(transaction, [workspaceId]) : []
      return { account, lease }
    })

  return {
    async getBalance(workspaceId) {
      const { account, lease } = await look(workspaceId)
      const { availableNano = 0n, leasedNano = 0n, updatedAt = new Date() } = account ?? {}
      const reading = lease && (await counter.read(workspaceId))
      const heldNano = reading?.leaseId === lease?.id ? (reading?.heldNano ?? 0n) : 0n
      return {
        balance: printCredit(availableNano + leasedNano),
        unit: 'credit',
        // The counter hears of a settlement a moment after the ledger.
        reserved: printCredit(heldNano < leasedNano ? heldNano : leasedNano),
        updated_at: updatedAt.toISOString(),
      }
    },
    async requireCredit(workspaceId) {
      const reading = await counter.read(workspaceId).catch(() => undefined)
      if (reading !== undefined && reading.freeNano > 0n && reading.inTerm) return
      const { account, lease } = await look(workspaceId)
      if (account !== undefined && account.availableNano > 0n) return
      // What is free in a counter whose term has passed can be reserved once the ledger has been asked.
      if (reading !== undefined && reading.leaseId === lease?.id && reading.freeNano > 0n) return
      throw new ServiceError('insufficient_credit', 'There is no credit left.')
    },
  }
}
