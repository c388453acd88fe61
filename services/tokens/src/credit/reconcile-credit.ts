/**
 * Differences between the ledger and the counters, also while credit is being spent.
 *
 * The ledger is compared with itself in one statement. A counter is compared while its account is locked: entries of the
 * ledger that have not reached the counter are applied to it first, and no entries are written meanwhile.
 */

import { type CreditCounter, printCredit } from '@parlance/clients/credit'
import type { Reconciliation } from '@parlance/contracts'
import type { Database, Queryable } from '@parlance/store'
import type { LeaseTerms } from './credit-settings.js'
import { findOpenLeases, type Lease } from './lease-repository.js'
import { checkAccounts, lockAccounts } from './ledger.js'
import { findEndedReservations } from './reservation-repository.js'
import { applyToCounter } from './reservation-resolver.js'

interface ReconcileOptions {
  database: Database
  counter: CreditCounter
  terms: LeaseTerms
}

/** In the order of the ids. Workspaces that never had credit are left out. Rejects with `unavailable`. */
export type ReconcileCredit = (workspaceIds: readonly string[]) => Promise<Reconciliation[]>

interface CounterCheck {
  readonly reservedNano: bigint
  readonly differenceNano: bigint
}

const distance = (a: bigint, b: bigint) => (a > b ? a - b : b - a)

export const createReconcileCredit = ({ database, counter, terms }: ReconcileOptions): ReconcileCredit => {
  const bringUpToDate = async (transaction: Queryable, { workspaceId, id, leasedNano }: Lease): Promise<void> => {
    const counted = await counter.listReservations(workspaceId, id, 'all')
    if (counted === undefined) return
    const reservations = counted.reservations.map((reservation) => ({ workspaceId, id: reservation.id }))
    const ended = await findEndedReservations(transaction, reservations)
    await Promise.all(ended.map((reservation) => applyToCounter(counter, reservation)))
    const reading = await counter.read(workspaceId)
    if (reading !== undefined && reading.leasedNano < leasedNano) {
      await counter.fund(workspaceId, id, leasedNano, terms.termMs)
    }
  }

  const compare = async ({ workspaceId, id, leasedNano, settledNano }: Lease): Promise<CounterCheck | undefined> => {
    const counted = await counter.listReservations(workspaceId, id, 'all')
    const reading = await counter.read(workspaceId)
    if (counted === undefined || reading?.leaseId !== id) return undefined
    const sumNano = counted.reservations.reduce((sum, { amountNano }) => sum + amountNano, 0n)
    return {
      reservedNano: counted.reservedNano,
      differenceNano:
        distance(reading.leasedNano, leasedNano) +
        distance(reading.settledNano, settledNano) +
        distance(counted.reservedNano, sumNano),
    }
  }

  const checkCounters = (workspaceIds: readonly string[]): Promise<Map<string, CounterCheck | undefined>> =>
    database.acrossWorkspaces(async (transaction) => {
      await lockAccounts(transaction, workspaceIds)
      const leases = await findOpenLeases(transaction, workspaceIds)
      await Promise.all(leases.map((lease) => bringUpToDate(transaction, lease)))
      const checks = await Promise.all(leases.map(compare))
      return new Map(leases.map(({ workspaceId }, index) => [workspaceId, checks[index]]))
    })

  return async (workspaceIds) => {
    const accounts = await database.acrossWorkspaces((transaction) => checkAccounts(transaction, workspaceIds))
    const counters = await checkCounters(workspaceIds)
    return accounts.map((account) => {
      const check = counters.get(account.workspaceId)
      return {
        workspace_id: account.workspaceId,
        granted: printCredit(account.grantedNano),
        available: printCredit(account.availableNano),
        leased: printCredit(account.leasedNano),
        held: printCredit(check?.reservedNano ?? 0n),
        spent: printCredit(account.spentNano),
        ledger_difference: printCredit(account.differenceNano),
        counter_difference: check ? printCredit(check.differenceNano) : null,
      }
    })
  }
}
