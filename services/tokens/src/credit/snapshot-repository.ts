import type { Queryable } from '@parlance/store'

export interface CreditSnapshot {
  /** All that is not spent. */
  readonly balanceNano: bigint
  /** What leases still have. */
  readonly leasedNano: bigint
  readonly updatedAt: Date
  /** The lease that gives now, if there is one. */
  readonly openLeaseId: string | null
  /** Those of the holds that have ended. */
  readonly endedHolds: ReadonlySet<string>
}

interface Row {
  available: string
  leased: string
  updated_at: Date
  open_lease_id: string | null
  ended_holds: string[]
}

/**
 * An account, its open lease, and which of these holds have ended, at one moment: in one statement, for each statement of a
 * transaction sees what was committed until then. Undefined for a workspace without an account.
 */
export const findSnapshot = async (
  queryable: Queryable,
  workspaceId: string,
  holdIds: readonly string[],
): Promise<CreditSnapshot | undefined> => {
  const [row] = await queryable.query<Row>(
    `select available, leased, updated_at,
       (select id from leases where workspace_id = $1 and state = 'open') as open_lease_id,
       array(select id::text from holds where workspace_id = $1 and id = any ($2::uuid[])) as ended_holds
     from accounts where workspace_id = $1`,
    [workspaceId, holdIds],
  )
  if (row === undefined) return undefined
  const leasedNano = BigInt(row.leased)
  return {
    balanceNano: BigInt(row.available) + leasedNano,
    leasedNano,
    updatedAt: row.updated_at,
    openLeaseId: row.open_lease_id,
    endedHolds: new Set(row.ended_holds),
  }
}
