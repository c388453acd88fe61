import pg from 'pg'
import type { Database, DatabaseSchema, Queryable, StoreLogger } from './database.js'
import { migrate } from './migrations.js'
import {
  asServiceTrouble,
  createPostgresOutage,
  createPostgresPool,
  type PostgresOutage,
  schemaSettings,
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
  /** Shared likewise, and then not closed by `close`. Default: ten connections for this database alone. */
  pool?: pg.Pool
}

const defaultPoolSize = 10
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The schema that a connection was last used for. */
const currentSchemas = new WeakMap<pg.PoolClient, string>()

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

/** Brings the schema up to date. Resolves to the files that were applied now. */
export const migratePostgres = async ({ url, schema, migrations, ...rest }: MigrateOptions): Promise<string[]> => {
  const settings = schemaSettings(url, schema)
  const { applied } = await migrate({ settings, schema, folder: migrations, ...rest })
  return applied
}

/**
 * Brings the schema up to date, then opens the database on it. Rejects when the server cannot be reached or a migration
 * fails.
 */
export const openPostgresDatabase = async (options: PostgresDatabaseOptions): Promise<Database> => {
  const { url, schema, migrations, logger, telemetry = {} } = options
  const { outage = createPostgresOutage(logger) } = options
  const { role } = await migrate({
    ...{ settings: schemaSettings(url, schema), schema, folder: migrations },
    ...(logger && { logger }),
  })
  const pool = options.pool ?? createPostgresPool(url, defaultPoolSize)
  const enterSchema =
    `set search_path = ${schema}; set application_name = 'parlance ${schema}'` +
    (role === undefined ? '' : `; set role ${role}`)

  const connect = async (): Promise<pg.PoolClient> => {
    const client = await pool.connect()
    if (currentSchemas.get(client) === schema) return client
    try {
      await client.query(enterSchema)
    } catch (error) {
      client.release(error as Error)
      throw error
    }
    currentSchemas.set(client, schema)
    return client
  }
  const checkOut = () =>
    connect().catch((error: unknown) => {
      throw asServiceTrouble(error, outage)
    })

  const observeQuery = createObserveQuery(telemetry, schema)
  const queryOn = async <Row extends object>(
    client: pg.PoolClient,
    sql: string,
    parameters: readonly unknown[] = [],
  ): Promise<Row[]> => {
    try {
      const values = parameters.length === 0 ? undefined : [...parameters]
      const { rows } = await observeQuery(sql, () => client.query(sql, values))
      outage.succeeded()
      return rows as Row[]
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
    let broken: Error | undefined
    try {
      await queryOn(client, begin)
      const result = await work({ query: (sql, parameters) => queryOn(client, sql, parameters) })
      await queryOn(client, 'commit')
      return result
    } catch (error) {
      await client.query('rollback').catch((failure: Error) => {
        broken = failure
      })
      throw error
    } finally {
      client.release(broken)
    }
  }

  const database: Database = {
    pool: { connect, end: () => database.close() },
    async query(sql, parameters) {
      const client = await checkOut()
      let broken = false
      try {
        return await queryOn(client, sql, parameters)
      } catch (error) {
        broken = !(error instanceof pg.DatabaseError)
        throw error
      } finally {
        client.release(broken)
      }
    },
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
    close: async () => {
      if (pool !== options.pool) await pool.end()
    },
  }
  return database
}
