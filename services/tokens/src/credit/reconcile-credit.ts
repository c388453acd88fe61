/**
 * By how much ledger and counter differ, also while credit is being spent.
 *
 * The ledger compares with itself in one statement. The counter is compared while the account is locked: what the ledger
 * has written by then and the counter was not told yet is told to it first, and nothing new is written meanwhile.
 */

import { type CreditCounter, printCredit } from '@parlance/clients/credit'
import type { Reconciliation } from '@parlance/contracts'
import type { Database, Queryable } from '@parlance/store'
import { findEndedHolds } from './hold-repository.js'
import { applyToCounter } from './hold-resolver.js'
import { findOpenLeases, type Lease } from './lease-repository.js'
import type { LeaseTerms } from './lease-terms.js'
import { lockAccounts } from './ledger.js'
import { checkAccounts } from './ledger-check.js'

export interface ReconcileOptions {
  database: Database
  counter: CreditCounter
  terms: LeaseTerms
}

/** In the order of the ids. Workspaces that never had credit are left out. Rejects with `unavailable`. */
export type ReconcileCredit = (workspaceIds: readonly string[]) => Promise<Reconciliation[]>

interface CounterCheck {
  readonly heldNano: bigint
  readonly differenceNano: bigint
}

const distance = (a: bigint, b: bigint) => (a > b ? a - b : b - a)

export const createReconcileCredit = ({ database, counter, terms }: ReconcileOptions): ReconcileCredit => {
  const tellCounter = async (transaction: Queryable, { workspaceId, id, leasedNano }: Lease): Promise<void> => {
    const counted = await counter.listHolds(workspaceId, id, 'all')
    if (counted === undefined) return
    const holds = counted.holds.map((hold) => ({ workspaceId, id: hold.id }))
    const ended = await findEndedHolds(transaction, holds)
    await Promise.all(ended.map((hold) => applyToCounter(counter, hold)))
    const reading = await counter.read(workspaceId)
    if (reading !== undefined && reading.leasedNano < leasedNano) {
      await counter.fund(workspaceId, id, leasedNano, terms.termMs)
    }
  }

  const compare = async ({ workspaceId, id, leasedNano, settledNano }: Lease): Promise<CounterCheck | undefined> => {
    const counted = await counter.listHolds(workspaceId, id, 'all')
    const reading = await counter.read(workspaceId)
    if (counted === undefined || reading?.leaseId !== id) return undefined
    const sumNano = counted.holds.reduce((sum, { amountNano }) => sum + amountNano, 0n)
    return {
      heldNano: counted.heldNano,
      differenceNano:
        distance(reading.leasedNano, leasedNano) +
        distance(reading.settledNano, settledNano) +
        distance(counted.heldNano, sumNano),
    }
  }

  const checkCounters = (workspaceIds: readonly string[]): Promise<Map<string, CounterCheck | undefined>> =>
    database.acrossWorkspaces(async (transaction) => {
      await lockAccounts(transaction, workspaceIds)
      const leases = await findOpenLeases(transaction, workspaceIds)
      await Promise.all(leases.map((lease) => tellCounter(transaction, lease)))
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
        held: printCredit(check?.heldNano ?? 0n),
        spent: printCredit(account.spentNano),
        ledger_difference: printCredit(account.differenceNano),
        counter_difference: check ? printCredit(check.differenceNano) : null,
      }
    })
  }
}
