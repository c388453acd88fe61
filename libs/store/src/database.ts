import type { Pool } from 'pg'

/** One row of parameters is an array; `$1` is its first. Rows come back with the column names of the query. */
export interface Queryable {
  query<Row extends object>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>
}

/** Where a service keeps its tables, and the plain SQL files that make them. */
export interface DatabaseSchema {
  readonly schema: string
  /** A folder. */
  readonly migrations: URL
}

/**
 * A pool of connections to one schema, as a role that can do nothing elsewhere. Rejects with
 * `ServiceError('unavailable')` when Postgres cannot be reached.
 *
 * Tables under row-level security show their rows only inside `inWorkspace` and `acrossWorkspaces`; to `query` and
 * `transaction` they are empty. Such a table has this policy, which Postgres checks on reading and on writing:
 *
 *     create policy of_workspace on agents using (
 *       workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
 *       or current_setting('parlance.every_workspace', true) = 'on')
 */
export interface Database extends Queryable {
  /** The connections themselves, for a library that makes its own queries. Their errors are those of `pg`. */
  readonly pool: Pool
  /** Commits when `work` resolves, rolls back when it rejects. */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>
  /** A transaction that reads and writes only rows of this workspace. */
  inWorkspace<Result>(workspaceId: string, work: (transaction: Queryable) => Promise<Result>): Promise<Result>
  /** A transaction over all workspaces, for jobs that no request causes. */
  acrossWorkspaces<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>
  /** Whether a query succeeds now. */
  ready(): Promise<boolean>
  close(): Promise<void>
}
