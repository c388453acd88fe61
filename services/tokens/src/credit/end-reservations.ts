import type { Usage } from '@parlance/contracts'
import type { Database } from '@parlance/store'
import { announceLowCredit, type OnCreditFell } from './credit-level.js'
import { lesser } from './credit-settings.js'
import { addSettled, findLeases, type LeaseName } from './lease-repository.js'
import { lockAccounts, type Transfer, transfer } from './ledger.js'
import {
  type EndedReservation,
  findEndedReservations,
  insertEndedReservations,
  type ReservationName,
  type ReservationRecord,
  type Resolution,
} from './reservation-repository.js'

interface Cover {
  readonly byLeaseNano: bigint
  readonly lateNano: bigint
  readonly uncoveredNano: bigint
}

/**
 * Divides a charge: the remaining credit of the lease pays first, then the available credit of the account. The remainder is
 * not charged, because credit never falls below zero. A remainder occurs only when a counter was wrong, or when work was
 * settled after its lease was closed.
 */
const coverCharge = (chargeNano: bigint, leftOfLeaseNano: bigint, availableNano: bigint): Cover => {
  const byLeaseNano = lesser(chargeNano, leftOfLeaseNano)
  const lateNano = lesser(chargeNano - byLeaseNano, availableNano)
  return { byLeaseNano, lateNano, uncoveredNano: chargeNano - byLeaseNano - lateNano }
}

export interface ReservationToEnd extends ReservationName {
  readonly leaseId: string
  readonly amountNano: bigint
  /** At most the amount. */
  readonly chargeNano: bigint
  readonly resolution: Resolution
  readonly usage: Usage | null
}

const nameOf = ({ workspaceId, id }: ReservationName | LeaseName) => `${workspaceId}/${id}`

const byName = <Named extends ReservationName | LeaseName>(all: readonly Named[]) =>
  new Map(all.map((one) => [nameOf(one), one]))

const transfersOf = ({ workspaceId, id, paidByLeaseNano, paidLateNano }: ReservationRecord): Transfer[] => [
  { workspaceId, eventId: `settle:${id}`, from: 'leased', to: 'spent', amountNano: paidByLeaseNano },
  { workspaceId, eventId: `late:${id}`, from: 'available', to: 'spent', amountNano: paidLateNano },
]

/**
 * Ends reservations of any workspaces in one transaction. Resolves with the end of each, in the same order; one that ended
 * before is unchanged. Undefined for a reservation whose lease does not exist. Credit below `lowNano` is low.
 */
export const endReservations = (
  database: Database,
  endings: readonly ReservationToEnd[],
  lowNano: bigint,
  onFell: OnCreditFell,
): Promise<readonly (EndedReservation | undefined)[]> =>
  database.acrossWorkspaces(async (transaction) => {
    // From here on only this transaction changes the credit of these workspaces.
    const accounts = await lockAccounts(transaction, [...new Set(endings.map(({ workspaceId }) => workspaceId))])
    const availableNano = new Map(accounts.map((account) => [account.workspaceId, account.availableNano]))
    const leases = byName(
      await findLeases(
        transaction,
        endings.map(({ workspaceId, leaseId }) => ({ workspaceId, id: leaseId })),
      ),
    )
    const ended = byName(await findEndedReservations(transaction, endings))
    const paidNano = new Map<string, LeaseName & { amountNano: bigint }>()
    const spentNano = new Map<string, bigint>()
    const records: ReservationRecord[] = []

    for (const { chargeNano, ...ending } of endings) {
      const lease = leases.get(nameOf({ workspaceId: ending.workspaceId, id: ending.leaseId }))
      if (lease === undefined || ended.has(nameOf(ending))) continue
      const paid = paidNano.get(nameOf(lease)) ?? { workspaceId: lease.workspaceId, id: lease.id, amountNano: 0n }
      const left = lease.state === 'closed' ? 0n : lease.leasedNano - lease.settledNano - paid.amountNano
      const available = availableNano.get(lease.workspaceId) ?? 0n
      const { byLeaseNano, lateNano, uncoveredNano } = coverCharge(chargeNano, left, available)
      availableNano.set(lease.workspaceId, available - lateNano)
      if (byLeaseNano > 0n) paidNano.set(nameOf(lease), { ...paid, amountNano: paid.amountNano + byLeaseNano })
      spentNano.set(lease.workspaceId, (spentNano.get(lease.workspaceId) ?? 0n) + byLeaseNano + lateNano)
      const record = { ...ending, paidByLeaseNano: byLeaseNano, paidLateNano: lateNano, uncoveredNano }
      records.push(record)
      ended.set(nameOf(record), record)
    }

    await insertEndedReservations(transaction, records)
    await addSettled(transaction, [...paidNano.values()])
    await transfer(transaction, records.flatMap(transfersOf))
    for (const account of accounts) {
      const balanceNano = account.availableNano + account.leasedNano - (spentNano.get(account.workspaceId) ?? 0n)
      await announceLowCredit(transaction, account, { balanceNano, lowNano }, onFell)
    }
    return endings.map((ending) => ended.get(nameOf(ending)))
  })
