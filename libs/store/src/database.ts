import type { Pool } from 'pg'

/** Parameters are an array, whose first element is `$1`. Rows have the column names of the query. */
export interface Queryable {
  query<Row extends object>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>
}

/** The schema of a service's tables, and the SQL files that create them. */
export interface DatabaseSchema {
  readonly schema: string
  /** The folder of the SQL files. */
  readonly migrations: URL
}

/**
 * Connections to one schema, as a role without rights elsewhere. Rejects with
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
  /** Connections of `pg` to the schema, for a library that makes its own queries. Its errors are those of `pg`. */
  readonly pool: Pick<Pool, 'connect' | 'end'>
  /** Commits when `work` resolves, rolls back when it rejects. */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>
  /** A transaction that reads and writes only rows of this workspace. */
  inWorkspace<Result>(workspaceId: string, work: (transaction: Queryable) => Promise<Result>): Promise<Result>
  /** A transaction over all workspaces, for background jobs. */
  acrossWorkspaces<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>
  /** Whether a query succeeds now. */
  ready(): Promise<boolean>
  close(): Promise<void>
}

/** What this package needs of a logger. */
export interface StoreLogger {
  info(
    fields: { component: string; pid?: number; port?: number; schema?: string; migration?: string },
    message: string,
  ): void
  warn(fields: { component: string; err?: unknown; count?: number; durationMs?: number }, message: string): void
  error(fields: { component: string; err: unknown }, message: string): void
}
