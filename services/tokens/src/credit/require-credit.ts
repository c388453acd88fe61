import type { CreditCounter } from '@parlance/clients/credit'
import { ServiceError } from '@parlance/contracts'
import type { LeaseCredit } from './lease-credit.js'

/** Rejects with `insufficient_credit` when no credit could be reserved, and with `unavailable`. */
export type RequireCredit = (workspaceId: string) => Promise<void>

export const createRequireCredit =
  ({ counter, leaseCredit }: { counter: CreditCounter; leaseCredit: LeaseCredit }): RequireCredit =>
  async (workspaceId) => {
    const reading = await counter.read(workspaceId).catch(() => undefined)
    if (reading?.inTerm && reading.freeNano > 0n) return
    // Leases credit as a reservation would, so that the next check needs only the counter.
    if (await leaseCredit(workspaceId, 1n)) return
    throw new ServiceError('insufficient_credit', 'There is no credit left.')
  }
