import type { Queryable } from '@parlance/store'

export interface CreditSnapshot {
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
export const findSnapshot = async (
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
