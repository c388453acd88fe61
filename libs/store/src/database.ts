/** One row of parameters is an array; `$1` is its first. Rows come back with the column names of the query. */
export interface Queryable {
  query<Row extends object>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>
}

/** A pool of connections to one schema. Rejects with `ServiceError('unavailable')` when Postgres cannot be reached. */
export interface Database extends Queryable {
  /** Commits when `work` resolves, rolls back when it rejects. */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>
  /** Whether a query succeeds now. */
  ready(): Promise<boolean>
  close(): Promise<void>
}
