import type { CreditCounter } from '@parlance/clients/credit'
import type { Database, Queryable } from '@parlance/store'
import { fence, findLeases, type Lease, type LeaseName, markClosed } from './lease-repository.js'
import { lockAccounts, transfer } from './ledger.js'

const lockLeases = async (transaction: Queryable, leases: readonly LeaseName[]): Promise<Lease[]> => {
  await lockAccounts(
    transaction,
    leases.map(({ workspaceId }) => workspaceId),
  )
  return findLeases(transaction, leases)
}

/** Fences those of the leases that are still open. They have lost their counters. Resolves with how many it fenced. */
export const fenceLost = (database: Database, leases: readonly LeaseName[], graceMs: number): Promise<number> =>
  database.acrossWorkspaces(async (transaction) => {
    const locked = await lockLeases(transaction, leases)
    return (await fence(transaction, locked, graceMs)).length
  })

/** Returns the rest of their credit to the accounts. */
const close = async (transaction: Queryable, leases: readonly Lease[]): Promise<void> => {
  await markClosed(transaction, leases)
  await transfer(
    transaction,
    leases.map(({ workspaceId, id, leasedNano, settledNano }) => ({
      workspaceId,
      eventId: `close:${id}`,
      from: 'leased',
      to: 'available',
      amountNano: leasedNano - settledNano,
    })),
  )
}

/** Closes the fenced leases, whose grace period is over. */
export const closeFenced = (database: Database, leases: readonly LeaseName[]): Promise<void> =>
  database.acrossWorkspaces(async (transaction) => {
    const locked = await lockLeases(transaction, leases)
    await close(
      transaction,
      locked.filter(({ state }) => state === 'fenced'),
    )
  })

/**
 * Closes open leases that have no reservations and whose term has passed. The counter is removed first: if the transaction
 * fails then, the lease is found without a counter and fenced. When a counter has no reservations, the ledger has ended all
 * of them.
 */
export const closeIdle = (database: Database, counter: CreditCounter, leases: readonly LeaseName[]): Promise<void> =>
  database.acrossWorkspaces(async (transaction) => {
    const open = (await lockLeases(transaction, leases)).filter(({ state }) => state === 'open')
    const dropped = await Promise.all(open.map(({ workspaceId, id }) => counter.drop(workspaceId, id)))
    await close(
      transaction,
      open.filter((_, index) => dropped[index]),
    )
  })
