/**
 * Sees to it that a workspace's counter has something to give.
 *
 * - The ledger comes first: a counter is told of credit only when that credit has been committed to its lease. What it is
 *   told is how much the lease has got in all, so telling it again, or late, does no harm.
 * - A counter is opened empty, before its lease is committed and while the account is locked. So a lease that exists has
 *   had its counter: where there is none, it was lost. Such a lease is fenced and never gets another. What was reserved
 *   from it can be settled until it is closed; what is left of it comes back then, and meanwhile a new lease gives.
 * - Whoever still sees a lost counter (in a store cut off from the others) can reserve from it for the rest of its term at
 *   most, since nobody begins that anew.
 */
import { randomUUID } from 'node:crypto'
import { type CreditCounter, mostLeasedNano } from '@parlance/clients/credit'
import type { Database, Queryable } from '@parlance/store'
import { addBlock, fence, findOpenLeases, insertLease, type Lease, type LeaseName } from './lease-repository.js'
import { creditToLease, type LeaseTerms } from './lease-terms.js'
import { lockAccounts, transfer } from './ledger.js'

export interface LeaseCreditOptions {
  database: Database
  counter: CreditCounter
  terms: LeaseTerms
}

/**
 * False when there is not enough credit to reserve `amountNano`: then the counter has been given all there is. Rejects
 * with `unavailable`.
 */
export type LeaseCredit = (workspaceId: string, amountNano: bigint) => Promise<boolean>

const least = (a: bigint, b: bigint) => (a < b ? a : b)

interface Leased {
  readonly id: string
  /** In all. */
  readonly leasedNano: bigint
  readonly enough: boolean
}

export const createLeaseCredit = ({ database, counter, terms }: LeaseCreditOptions): LeaseCredit => {
  const give = async (transaction: Queryable, lease: LeaseName, amountNano: bigint): Promise<bigint> => {
    const { leasedNano, block } = await addBlock(transaction, lease, amountNano)
    const eventId = `lease:${lease.id}:${block}`
    const { workspaceId } = lease
    await transfer(transaction, [{ workspaceId, eventId, from: 'available', to: 'leased', amountNano }])
    return leasedNano
  }

  /** Undefined where the lease has no counter any more, or has given all that one lease may. */
  const topUp = async (
    transaction: Queryable,
    lease: Lease,
    amountNano: bigint,
    availableNano: bigint,
  ): Promise<Leased | undefined> => {
    const reading = await counter.read(lease.workspaceId)
    if (reading?.leaseId !== lease.id) return undefined
    // Not what the counter says is free: it may not have been told yet of all that its lease has got.
    const freeNano = lease.leasedNano - reading.settledNano - reading.heldNano
    const [needNano, roomNano] = [amountNano - freeNano, mostLeasedNano - lease.leasedNano]
    if (least(needNano, availableNano) > roomNano) return undefined
    const blockNano = least(creditToLease(needNano, availableNano, terms.blockNano), roomNano)
    const leasedNano = blockNano === 0n ? lease.leasedNano : await give(transaction, lease, blockNano)
    return { id: lease.id, leasedNano, enough: freeNano + blockNano >= amountNano }
  }

  const openNew = async (
    transaction: Queryable,
    workspaceId: string,
    amountNano: bigint,
    availableNano: bigint,
  ): Promise<Leased | undefined> => {
    const blockNano = creditToLease(amountNano > 0n ? amountNano : 1n, availableNano, terms.blockNano)
    if (blockNano === 0n) return undefined
    const lease = { workspaceId, id: randomUUID() }
    await insertLease(transaction, lease)
    const leasedNano = await give(transaction, lease, least(blockNano, mostLeasedNano))
    await counter.open(workspaceId, lease.id, terms.holdLifeMs)
    return { id: lease.id, leasedNano, enough: blockNano >= amountNano }
  }

  return async (workspaceId, amountNano) => {
    const leased = await database.inWorkspace(workspaceId, async (transaction) => {
      const [account] = await lockAccounts(transaction, [workspaceId])
      if (account === undefined) return undefined
      const [open] = await findOpenLeases(transaction, [workspaceId])
      const current = open && (await topUp(transaction, open, amountNano, account.availableNano))
      if (current !== undefined) return current
      if (open !== undefined) await fence(transaction, [open], terms.graceMs)
      return openNew(transaction, workspaceId, amountNano, account.availableNano)
    })
    if (leased === undefined) return false
    await counter.fund(workspaceId, leased.id, leased.leasedNano, terms.termMs)
    return leased.enough
  }
}
