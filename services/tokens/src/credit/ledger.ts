/**
 * The double-entry ledger of a workspace's credit, and the account that is its sum: granted credit is available, leased or
 * spent. Both change here only, in one statement.
 */
import type { Database, Queryable } from '@parlance/store'
import type { CreditLevel } from './credit-level.js'

type AccountName = 'granted' | 'available' | 'leased' | 'spent'

export interface Transfer {
  readonly workspaceId: string
  /** Unique within the workspace. */
  readonly eventId: string
  readonly from: AccountName
  readonly to: AccountName
  readonly amountNano: bigint
}

export interface Account {
  readonly workspaceId: string
  readonly grantedNano: bigint
  readonly availableNano: bigint
  /** Credit of leases that is neither spent nor returned. */
  readonly leasedNano: bigint
  readonly spentNano: bigint
  readonly level: CreditLevel
}

interface Row {
  workspace_id: string
  granted: string
  available: string
  leased: string
  spent: string
  level: CreditLevel
}

const amountsOf = (row: Omit<Row, 'level'>) => ({
  workspaceId: row.workspace_id,
  grantedNano: BigInt(row.granted),
  availableNano: BigInt(row.available),
  leasedNano: BigInt(row.leased),
  spentNano: BigInt(row.spent),
})

const toAccount = (row: Row): Account => ({ ...amountsOf(row), level: row.level })

const columns = 'workspace_id, granted, available, leased, spent, level'

/** The ids of workspaces that ever had credit, in ascending order. */
export const listAccounts = async (
  database: Database,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<string[]> => {
  const rows = await database.acrossWorkspaces((transaction) =>
    transaction.query<Pick<Row, 'workspace_id'>>(
      `select workspace_id from accounts where $1::uuid is null or workspace_id > $1 order by workspace_id limit $2`,
      [after ?? null, limit],
    ),
  )
  return rows.map(({ workspace_id }) => workspace_id)
}

/**
 * The accounts that exist, locked until the transaction ends. They are locked in the order of their ids, so that transactions
 * that lock several cannot deadlock.
 */
export const lockAccounts = async (transaction: Queryable, workspaceIds: readonly string[]): Promise<Account[]> => {
  const rows = await transaction.query<Row>(
    `select ${columns} from accounts where workspace_id = any ($1::uuid[]) order by workspace_id for update`,
    [workspaceIds],
  )
  return rows.map(toAccount)
}

export const openAccount = async (transaction: Queryable, workspaceId: string): Promise<void> => {
  await transaction.query('insert into accounts (workspace_id) values ($1) on conflict do nothing', [workspaceId])
}

/** The transfer of this event, if there was one. */
export const findTransfer = async (
  transaction: Queryable,
  workspaceId: string,
  eventId: string,
): Promise<{ amountNano: bigint } | undefined> => {
  const [row] = await transaction.query<{ amount: string }>(
    'select amount from transfers where workspace_id = $1 and event_id = $2',
    [workspaceId, eventId],
  )
  return row && { amountNano: BigInt(row.amount) }
}

const changeOf = (account: AccountName) =>
  `coalesce(sum(amount) filter (where to_account = '${account}'), 0)
    - coalesce(sum(amount) filter (where from_account = '${account}'), 0)`

/** Rejects when an event was recorded before, or when an account has less than the transfer takes from it. */
export const transfer = async (transaction: Queryable, transfers: readonly Transfer[]): Promise<void> => {
  const moved = transfers.filter(({ amountNano }) => amountNano !== 0n)
  if (moved.length === 0) return
  await transaction.query(
    `with moved as (
       insert into transfers (workspace_id, event_id, from_account, to_account, amount)
       select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::bigint[])
       returning workspace_id, from_account, to_account, amount
     ), change as (
       select workspace_id, -(${changeOf('granted')}) as granted, ${changeOf('available')} as available,
         ${changeOf('leased')} as leased, ${changeOf('spent')} as spent
       from moved group by workspace_id
     )
     update accounts set granted = accounts.granted + change.granted,
       available = accounts.available + change.available, leased = accounts.leased + change.leased,
       spent = accounts.spent + change.spent, updated_at = now()
     from change where accounts.workspace_id = change.workspace_id`,
    [
      moved.map(({ workspaceId }) => workspaceId),
      moved.map(({ eventId }) => eventId),
      moved.map(({ from }) => from),
      moved.map(({ to }) => to),
      moved.map(({ amountNano }) => amountNano),
    ],
  )
}

interface CheckedAccount extends Omit<Account, 'level'> {
  /** The sum of all differences between the account, leases and reservations, and the sums of the ledger's transfers. */
  readonly differenceNano: bigint
}

interface CheckedRow extends Omit<Row, 'level'> {
  difference: string
}

/** One statement reads one snapshot, so that this works while credit is being spent. In the order of the ids. */
export const checkAccounts = async (
  queryable: Queryable,
  workspaceIds: readonly string[],
): Promise<CheckedAccount[]> => {
  const rows = await queryable.query<CheckedRow>(
    `select account.workspace_id, account.granted, account.available, account.leased, account.spent,
       abs(account.granted - ledger.granted) + abs(account.available - ledger.available)
       + abs(account.leased - ledger.leased) + abs(account.spent - ledger.spent)
       + abs(account.leased - lease.outstanding) + abs(lease.settled - resolved.paid_by_lease)
       + abs(account.spent - resolved.paid_by_lease - resolved.paid_late) as difference
     from accounts account
     cross join lateral (
       select -(${changeOf('granted')}) as granted, ${changeOf('available')} as available,
         ${changeOf('leased')} as leased, ${changeOf('spent')} as spent
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
  return rows.map((row) => ({ ...amountsOf(row), differenceNano: BigInt(row.difference) }))
}
