/** All functions but `claim` and `findDue` require a lock on the accounts of the leases: see `lockAccounts`. */
import type { Queryable } from '@parlance/store'

export interface LeaseName {
  readonly workspaceId: string
  readonly id: string
}

export interface Lease extends LeaseName {
  readonly state: 'open' | 'fenced' | 'closed'
  /** Sums over the lifetime of the lease. */
  readonly leasedNano: bigint
  readonly settledNano: bigint
  /** How many times credit was added to it. */
  readonly blocks: number
}

interface Row {
  workspace_id: string
  id: string
  state: Lease['state']
  leased: string
  settled: string
  blocks: number
}

const toLease = (row: Row): Lease => ({
  workspaceId: row.workspace_id,
  id: row.id,
  state: row.state,
  leasedNano: BigInt(row.leased),
  settledNano: BigInt(row.settled),
  blocks: row.blocks,
})

const columns = 'workspace_id, id, state, leased, settled, blocks'

const namesOf = (leases: readonly LeaseName[]) => [
  leases.map(({ workspaceId }) => workspaceId),
  leases.map(({ id }) => id),
]

/** The open leases, at most one for each workspace. */
export const findOpenLeases = async (queryable: Queryable, workspaceIds: readonly string[]): Promise<Lease[]> => {
  const rows = await queryable.query<Row>(
    `select ${columns} from leases where workspace_id = any ($1::uuid[]) and state = 'open'`,
    [workspaceIds],
  )
  return rows.map(toLease)
}

export const findLeases = async (transaction: Queryable, leases: readonly LeaseName[]): Promise<Lease[]> => {
  const rows = await transaction.query<Row>(
    `select ${columns} from leases
     where (workspace_id, id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    namesOf(leases),
  )
  return rows.map(toLease)
}

export const insertLease = async (transaction: Queryable, { workspaceId, id }: LeaseName): Promise<void> => {
  await transaction.query('insert into leases (workspace_id, id) values ($1, $2)', [workspaceId, id])
}

/** Resolves with the sum that the lease has received, and the number of this block. */
export const addBlock = async (
  transaction: Queryable,
  { workspaceId, id }: LeaseName,
  amountNano: bigint,
): Promise<{ leasedNano: bigint; block: number }> => {
  const [row] = await transaction.query<Row>(
    `update leases set leased = leased + $3, blocks = blocks + 1
     where workspace_id = $1 and id = $2 returning ${columns}`,
    [workspaceId, id, amountNano],
  )
  return { leasedNano: BigInt(row!.leased), block: row!.blocks }
}

export const addSettled = async (
  transaction: Queryable,
  settlements: readonly (LeaseName & { readonly amountNano: bigint })[],
): Promise<void> => {
  if (settlements.length === 0) return
  await transaction.query(
    `update leases set settled = leases.settled + paid.amount
     from unnest($1::uuid[], $2::uuid[], $3::bigint[]) as paid (workspace_id, id, amount)
     where leases.workspace_id = paid.workspace_id and leases.id = paid.id`,
    [...namesOf(settlements), settlements.map(({ amountNano }) => amountNano)],
  )
}

/**
 * Prevents further use of open leases and resolves with those that were open. The grace period begins with this statement:
 * the transaction may have begun long before it got its locks, and another one may have begun a counter's term meanwhile.
 */
export const fence = async (
  transaction: Queryable,
  leases: readonly LeaseName[],
  graceMs: number,
): Promise<LeaseName[]> => {
  if (leases.length === 0) return []
  const rows = await transaction.query<Row>(
    `update leases set state = 'fenced', closes_at = clock_timestamp() + $3 * interval '1 ms'
     where (workspace_id, id) in (select * from unnest($1::uuid[], $2::uuid[])) and state = 'open' returning ${columns}`,
    [...namesOf(leases), Math.ceil(graceMs)],
  )
  return rows.map(toLease)
}

export const markClosed = async (transaction: Queryable, leases: readonly LeaseName[]): Promise<void> => {
  await transaction.query(
    `update leases set state = 'closed', closes_at = null
     where (workspace_id, id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    namesOf(leases),
  )
}

/** Claims open leases that no process has claimed for `notForMs`. */
export const claim = async (transaction: Queryable, notForMs: number, limit: number): Promise<LeaseName[]> => {
  const rows = await transaction.query<Row>(
    `update leases set tended_at = now()
     where (workspace_id, id) in (
       select workspace_id, id from leases
       where state = 'open' and tended_at < now() - $1 * interval '1 ms'
       order by tended_at limit $2 for update skip locked
     ) and state = 'open' returning ${columns}`,
    [Math.ceil(notForMs), limit],
  )
  return rows.map(toLease)
}

/** Fenced leases whose grace period has passed. */
export const findDue = async (queryable: Queryable, limit: number): Promise<LeaseName[]> => {
  const rows = await queryable.query<Row>(
    `select ${columns} from leases where state = 'fenced' and closes_at <= now() order by closes_at limit $1`,
    [limit],
  )
  return rows.map(toLease)
}
