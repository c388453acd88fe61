/**
 * Leases credit to a workspace's counter.
 *
 * - The ledger comes first: credit is committed to the lease before it is added to the counter. The counter is set to the sum
 *   that the lease has received, so setting it twice, or late, does no harm.
 * - A counter is opened empty, before its lease is committed and while the account is locked. Therefore a lease without a
 *   counter has lost it. Such a lease is fenced and never gets another counter. Its reservations can be settled until it is
 *   closed; then the rest of its credit returns. Meanwhile a new lease serves the workspace.
 * - A process that still sees a lost counter, in a store that is cut off from the others, can reserve from it for the rest of
 *   its term at most, because the term is not restarted.
 */
import { randomUUID } from 'node:crypto'
import { type CreditCounter, maxLeasedNano, parseCredit } from '@parlance/clients/credit'
import { ServiceError } from '@parlance/contracts'
import type { Database, Queryable } from '@parlance/store'
import { announceLowCredit, type OnCreditFell } from './credit-level.js'
import { creditToLease, type LeaseTerms, lesser } from './credit-settings.js'
import { addBlock, fence, findOpenLeases, insertLease, type Lease, type LeaseName } from './lease-repository.js'
import { type Account, lockAccounts, transfer } from './ledger.js'
import { creditUsedToday } from './usage-repository.js'

interface LeaseCreditOptions {
  database: Database
  counter: CreditCounter
  terms: LeaseTerms
  /** Credit below this amount is low. */
  lowNano: bigint
  onFell: OnCreditFell
}

/**
 * False when there is not enough credit to reserve `amountNano`; all available credit has been leased then. Rejects with
 * `unavailable`.
 */
export type LeaseCredit = (workspaceId: string, amountNano: bigint) => Promise<boolean>

interface Leased {
  readonly id: string
  /** The total of the lease. */
  readonly leasedNano: bigint
  readonly enough: boolean
}

export const createLeaseCredit = ({ database, counter, terms, lowNano, onFell }: LeaseCreditOptions): LeaseCredit => {
  const addToLease = async (transaction: Queryable, lease: LeaseName, amountNano: bigint): Promise<bigint> => {
    const { leasedNano, block } = await addBlock(transaction, lease, amountNano)
    const eventId = `lease:${lease.id}:${block}`
    const { workspaceId } = lease
    await transfer(transaction, [{ workspaceId, eventId, from: 'available', to: 'leased', amountNano }])
    return leasedNano
  }

  /** Undefined where the lease has lost its counter, or has reached the limit of one lease. */
  const topUp = async (
    transaction: Queryable,
    lease: Lease,
    amountNano: bigint,
    availableNano: bigint,
  ): Promise<Leased | undefined> => {
    const reading = await counter.read(lease.workspaceId)
    if (reading?.leaseId !== lease.id) return undefined
    // `reading.freeNano` may be too low: the counter may not have received all that was committed to its lease.
    const freeNano = lease.leasedNano - reading.settledNano - reading.reservedNano
    const [needNano, roomNano] = [amountNano - freeNano, maxLeasedNano - lease.leasedNano]
    if (lesser(needNano, availableNano) > roomNano) return undefined
    const blockNano = lesser(creditToLease(needNano, availableNano, terms.blockNano), roomNano)
    const leasedNano = blockNano === 0n ? lease.leasedNano : await addToLease(transaction, lease, blockNano)
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
    const leasedNano = await addToLease(transaction, lease, lesser(blockNano, maxLeasedNano))
    await counter.open(workspaceId, lease.id, terms.reservationLifeMs)
    return { id: lease.id, leasedNano, enough: blockNano >= amountNano }
  }

  const leaseFrom = async (
    transaction: Queryable,
    { workspaceId, availableNano }: Account,
    amountNano: bigint,
  ): Promise<Leased | undefined> => {
    const [open] = await findOpenLeases(transaction, [workspaceId])
    const current = open && (await topUp(transaction, open, amountNano, availableNano))
    if (current !== undefined) return current
    if (open !== undefined) await fence(transaction, [open], terms.graceMs)
    return openNew(transaction, workspaceId, amountNano, availableNano)
  }

  return async (workspaceId, amountNano) => {
    const leased = await database.inWorkspace(workspaceId, async (transaction) => {
      const [account] = await lockAccounts(transaction, [workspaceId])
      if (account === undefined) return undefined
      const leased = await leaseFrom(transaction, account, amountNano)
      if (leased?.enough) return leased
      const balanceNano = account.availableNano + account.leasedNano
      await announceLowCredit(transaction, account, { balanceNano, lowNano, isRefused: true }, onFell)
      return leased
    })
    if (leased === undefined) return false
    await counter.fund(workspaceId, leased.id, leased.leasedNano, terms.termMs)
    return leased.enough
  }
}

/** What a key may use in a day in UTC. */
interface DailyLimit {
  readonly key_id: string
  /** Decimal text. */
  readonly credit: string
}

/**
 * Rejects with `insufficient_credit` when no credit could be reserved or the key has used its credit of this day, and with
 * `unavailable`.
 */
export type RequireCredit = (workspaceId: string, dailyLimit?: DailyLimit) => Promise<void>

interface RequireCreditOptions extends Pick<LeaseCreditOptions, 'database' | 'counter'> {
  leaseCredit: LeaseCredit
}

export const createRequireCredit = ({ database, counter, leaseCredit }: RequireCreditOptions): RequireCredit => {
  const requireLeft = async (workspaceId: string): Promise<void> => {
    const reading = await counter.read(workspaceId).catch(() => undefined)
    if (reading?.inTerm && reading.freeNano > 0n) return
    // Leases credit as a reservation would, so that the next check needs only the counter.
    if (await leaseCredit(workspaceId, 1n)) return
    throw new ServiceError('insufficient_credit', 'There is no credit left.')
  }
  return async (workspaceId, dailyLimit) => {
    if (dailyLimit !== undefined) {
      const usedNano = await creditUsedToday(database, workspaceId, dailyLimit.key_id)
      if (usedNano >= parseCredit(dailyLimit.credit)) {
        throw new ServiceError('insufficient_credit', 'The credit for public conversations of this day is used up.')
      }
    }
    await requireLeft(workspaceId)
  }
}
