import pg from 'pg'
import type { Database, DatabaseSchema, Queryable, StoreLogger } from './database.js'
import { migrate } from './migrations.js'
import {
  asServiceTrouble,
  connectionSettings,
  createPostgresOutage,
  type PostgresOutage,
} from './postgres-connection.js'
import { observeCommand, type StoreTelemetry } from './store-telemetry.js'

export interface MigrateOptions extends DatabaseSchema {
  url: string
  logger?: StoreLogger
}

export interface PostgresDatabaseOptions extends MigrateOptions {
  telemetry?: StoreTelemetry
  /** Shared by the databases of a process that are on one server. */
  outage?: PostgresOutage
  /** The maximum number of connections. Default 10. */
  poolSize?: number
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Runs a query, and reports it. */
type ObserveQuery = <Result>(sql: string, run: () => Promise<Result>) => Promise<Result>

const firstWord = /^\s*(\w+)/

/** SQL without parameters may contain the id of a workspace, so it is not recorded. */
const createObserveQuery =
  (telemetry: StoreTelemetry, namespace: string): ObserveQuery =>
  (sql, run) => {
    const operation = (firstWord.exec(sql)?.[1] ?? 'query').toUpperCase()
    return observeCommand(
      telemetry,
      { system: 'postgresql', namespace, operation },
      run,
      sql.includes('$1') ? sql : undefined,
    )
  }

const queryableOn = (
  client: pg.Pool | pg.PoolClient,
  observeQuery: ObserveQuery,
  outage: PostgresOutage,
): Queryable => ({
  async query<Row extends object>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    try {
      const values = parameters.length === 0 ? undefined : [...parameters]
      const { rows } = await observeQuery(sql, () => client.query(sql, values))
      outage.succeeded()
      return rows as Row[]
    } catch (error) {
      throw asServiceTrouble(error, outage)
    }
  },
})

/** Brings the schema up to date. Resolves to the files that were applied now. */
export const migratePostgres = async ({ url, schema, migrations, ...rest }: MigrateOptions): Promise<string[]> => {
  const settings = connectionSettings(url, schema)
  const { applied } = await migrate({ settings, schema, folder: migrations, ...rest })
  return applied
}

/**
 * Brings the schema up to date, then opens a pool on it. Rejects when the server cannot be reached or a migration
 * fails.
 */
export const openPostgresDatabase = async (options: PostgresDatabaseOptions): Promise<Database> => {
  const { url, schema, migrations, poolSize = 10, logger, telemetry = {} } = options
  const { outage = createPostgresOutage(logger) } = options
  const ownSettings = connectionSettings(url, schema)
  const { role } = await migrate({
    ...{ settings: ownSettings, schema, folder: migrations },
    ...(logger && { logger }),
  })
  const settings = role === undefined ? ownSettings : connectionSettings(url, schema, role)

  const observeQuery = createObserveQuery(telemetry, schema)
  const pool = new pg.Pool({ ...settings, max: poolSize, idleTimeoutMillis: 30_000 })
  // A connection that breaks while it is idle leaves the pool; the next query opens another, or reports that it cannot.
  pool.on('error', () => {})

  const checkOut = async (): Promise<pg.PoolClient> => {
    try {
      return await pool.connect()
    } catch (error) {
      throw asServiceTrouble(error, outage)
    }
  }

  /** `begin` may set settings for this transaction only. */
  const inTransaction = async <Result>(
    begin: string,
    work: (transaction: Queryable) => Promise<Result>,
  ): Promise<Result> => {
    const client = await checkOut()
    // The pool listens only to idle clients. Without a listener a broken connection would end the process.
    let broken: Error | undefined
    const onError = (error: Error) => {
      broken = error
    }
    client.on('error', onError)
    const transaction = queryableOn(client, observeQuery, outage)
    try {
      await transaction.query(begin)
      const result = await work(transaction)
      await transaction.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch((failure: Error) => {
        broken = failure
      })
      throw error
    } finally {
      client.removeListener('error', onError)
      client.release(broken)
    }
  }

  const database: Database = {
    ...queryableOn(pool, observeQuery, outage),
    pool,
    transaction: (work) => inTransaction('begin', work),
    async inWorkspace(workspaceId, work) {
      // It becomes part of the SQL, which saves a round trip.
      if (!uuid.test(workspaceId)) throw new TypeError('a workspace id must be a UUID in lower case')
      return inTransaction(`begin; set local parlance.workspace_id = '${workspaceId}'`, work)
    },
    acrossWorkspaces: (work) => inTransaction('begin; set local parlance.every_workspace = on', work),
    ready: () =>
      database.query('select 1').then(
        () => true,
        () => false,
      ),
    close: () => pool.end(),
  }
  return database
}
