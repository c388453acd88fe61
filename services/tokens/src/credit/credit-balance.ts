import { type CountedReservations, type CreditCounter, printCredit } from '@parlance/clients/credit'
import type { creditBalanceSchema } from '@parlance/contracts'
import type { Database, Queryable } from '@parlance/store'
import type { z } from 'zod'

interface CreditSnapshot {
  /** Credit that is not spent. */
  readonly balanceNano: bigint
  /** Credit of leases that is not settled. */
  readonly leasedNano: bigint
  readonly updatedAt: Date
  /** Null without an open lease. */
  readonly openLeaseId: string | null
  /** The ids of the reservations that have ended. */
  readonly endedReservations: ReadonlySet<string>
}

interface Row {
  available: string
  leased: string
  updated_at: Date
  open_lease_id: string | null
  ended_reservations: string[]
}

/**
 * An account, its open lease, and which of these reservations have ended, at one moment. This takes one statement, because each
 * statement of a transaction reads its own snapshot. Undefined for a workspace without an account.
 */
const findSnapshot = async (
  queryable: Queryable,
  workspaceId: string,
  reservationIds: readonly string[],
): Promise<CreditSnapshot | undefined> => {
  const [row] = await queryable.query<Row>(
    `select available, leased, updated_at,
       (select id from leases where workspace_id = $1 and state = 'open') as open_lease_id,
       array(select id::text from holds where workspace_id = $1 and id = any ($2::uuid[])) as ended_reservations
     from accounts where workspace_id = $1`,
    [workspaceId, reservationIds],
  )
  if (row === undefined) return undefined
  const leasedNano = BigInt(row.leased)
  return {
    balanceNano: BigInt(row.available) + leasedNano,
    leasedNano,
    updatedAt: row.updated_at,
    openLeaseId: row.open_lease_id,
    endedReservations: new Set(row.ended_reservations),
  }
}

/**
 * The credit that is not spent, and the part of it that is reserved, at one moment. Rejects with `unavailable`.
 *
 * The ledger settles a reservation before the counter does. Therefore the reservations are read first, and those that the
 * ledger has ended by the time of its snapshot are excluded: spent credit is neither in the balance nor reserved.
 */
export type ReadBalance = (workspaceId: string) => Promise<z.input<typeof creditBalanceSchema>>

interface LeaseReservations {
  /** Undefined when there is no counter. */
  readonly leaseId?: string
  readonly reservations: CountedReservations['reservations']
  /** Why the counter could not be read. */
  readonly error?: unknown
}

export const createReadBalance = ({
  database,
  counter,
}: {
  database: Database
  counter: Pick<CreditCounter, 'read' | 'listReservations'>
}): ReadBalance => {
  const readReservations = async (workspaceId: string): Promise<LeaseReservations> => {
    try {
      const reading = await counter.read(workspaceId)
      if (reading === undefined) return { reservations: [] }
      const { leaseId } = reading
      const counted =
        reading.reservations === 0 ? undefined : await counter.listReservations(workspaceId, leaseId, 'all')
      return { leaseId, reservations: counted?.reservations ?? [] }
    } catch (error) {
      return { reservations: [], error }
    }
  }

  return async (workspaceId) => {
    const { leaseId, reservations, error } = await readReservations(workspaceId)
    const ids = reservations.map(({ id }) => id)
    const snapshot = await database.inWorkspace(workspaceId, (transaction) =>
      findSnapshot(transaction, workspaceId, ids),
    )
    const { balanceNano = 0n, leasedNano = 0n, openLeaseId = null, updatedAt = new Date() } = snapshot ?? {}
    // Without an open lease nothing is reserved.
    if (error !== undefined && openLeaseId !== null) throw error
    let reservedNano = 0n
    for (const { id, amountNano } of reservations) if (!snapshot?.endedReservations.has(id)) reservedNano += amountNano
    // A lease that is not open has lost its counter and the reservations in it.
    if (openLeaseId !== leaseId) reservedNano = 0n
    return {
      balance: printCredit(balanceNano),
      unit: 'credit',
      reserved: printCredit(reservedNano < leasedNano ? reservedNano : leasedNano),
      updated_at: updatedAt.toISOString(),
    }
  }
}
