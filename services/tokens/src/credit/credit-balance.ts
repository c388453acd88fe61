import type { creditBalanceSchema } from '@parlance/contracts'
import { type CreditCounter, printCredit } from '@parlance/credit'
import type { Database } from '@parlance/store'
import type { z } from 'zod'
import { findOpenLeases } from './lease-repository.js'
import { findAccount } from './ledger.js'

/** All that is not spent, and the part of it that work holds now. Rejects with `unavailable`. */
export type ReadBalance = (workspaceId: string) => Promise<z.input<typeof creditBalanceSchema>>

export const createReadBalance =
  ({ database, counter }: { database: Database; counter: CreditCounter }): ReadBalance =>
  async (workspaceId) => {
    const [account, lease] = await database.inWorkspace(workspaceId, async (transaction) => {
      const found = await findAccount(transaction, workspaceId)
      const [open] = found ? await findOpenLeases(transaction, [workspaceId]) : []
      return [found, open]
    })
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
  }
