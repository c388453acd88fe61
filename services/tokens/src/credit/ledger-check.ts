import type { Queryable } from '@parlance/store'

export interface CheckedAccount {
  readonly workspaceId: string
  readonly grantedNano: bigint
  readonly availableNano: bigint
  readonly leasedNano: bigint
  readonly spentNano: bigint
  /** The sum of all differences between the account, leases and reservations, and the sums of the ledger's transfers. */
  readonly differenceNano: bigint
}

interface Row {
  workspace_id: string
  granted: string
  available: string
  leased: string
  spent: string
  difference: string
}

const balanceOf = (account: string) =>
  `coalesce(sum(amount) filter (where to_account = '${account}'), 0)
    - coalesce(sum(amount) filter (where from_account = '${account}'), 0)`

/** One statement reads one snapshot, so that this works while credit is being spent. In the order of the ids. */
export const checkAccounts = async (
  queryable: Queryable,
  workspaceIds: readonly string[],
): Promise<CheckedAccount[]> => {
  const rows = await queryable.query<Row>(
    `select account.workspace_id, account.granted, account.available, account.leased, account.spent,
       abs(account.granted - ledger.granted) + abs(account.available - ledger.available)
       + abs(account.leased - ledger.leased) + abs(account.spent - ledger.spent)
       + abs(account.leased - lease.outstanding) + abs(lease.settled - resolved.paid_by_lease)
       + abs(account.spent - resolved.paid_by_lease - resolved.paid_late) as difference
     from accounts account
     cross join lateral (
       select -(${balanceOf('granted')}) as granted, ${balanceOf('available')} as available,
         ${balanceOf('leased')} as leased, ${balanceOf('spent')} as spent
       from transfers where workspace_id = account.workspace_id
     ) ledger
     cross join lateral (
       select coalesce(sum(leased - settled) filter (where state <> 'closed'), 0) as outstanding,
         coalesce(sum(settled), 0) as settled
       from leases where workspace_id = account.workspace_id
     ) lease
     cross join lateral (
       select coalesce(sum(paid_by_lease), 0) as paid_by_lease, coalesce(sum(paid_late), 0) as paid_late
       from holds where workspace_id = account.workspace_id and resolution = 'settled'
     ) resolved
     where account.workspace_id = any ($1::uuid[]) order by account.workspace_id`,
    [workspaceIds],
  )
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    grantedNano: BigInt(row.granted),
    availableNano: BigInt(row.available),
    leasedNano: BigInt(row.leased),
    spentNano: BigInt(row.spent),
    differenceNano: BigInt(row.difference),
  }))
}
