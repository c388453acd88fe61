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

/** Fences those that are still open, of which the counter is lost. Answers how many. */
export const fenceLost = (database: Database, leases: readonly LeaseName[], graceMs: number): Promise<number> =>
  database.acrossWorkspaces(async (transaction) => {
    const locked = await lockLeases(transaction, leases)
    return (await fence(transaction, locked, graceMs)).length
  })

/** What is left of them is available again. */
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

/** Closes those that are fenced: their grace is over. */
export const closeFenced = (database: Database, leases: readonly LeaseName[]): Promise<void> =>
  database.acrossWorkspaces(async (transaction) => {
    const locked = await lockLeases(transaction, leases)
    await close(
      transaction,
      locked.filter(({ state }) => state === 'fenced'),
    )
  })

/**
 * Closes those open ones of which nothing is held and whose counter's term has passed. The counter goes first: should the
 * transaction fail then, the lease is found without one and fenced. All holds of a counter that holds nothing have been
 * ended by the ledger before.
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
