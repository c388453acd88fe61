import pg from 'pg'
import type { Database, Queryable } from './database.js'
import { migrate } from './migrations.js'
import { asServiceTrouble, connectionSettings } from './postgres-connection.js'
import type { StoreLogger } from './store-logger.js'

export interface PostgresDatabaseOptions {
  url: string
  schema: string
  /** A folder of plain SQL files. */
  migrations: URL
  /** Most connections at a time. Default 10. */
  poolSize?: number
  logger?: StoreLogger
}

const queryableOn = (client: pg.Pool | pg.PoolClient): Queryable => ({
  async query<Row extends object>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    try {
      return (await client.query(sql, [...parameters])).rows as Row[]
    } catch (error) {
      throw asServiceTrouble(error)
    }
  },
})

/** Brings the schema up to date, then opens a pool on it. */
export const openPostgresDatabase = async (options: PostgresDatabaseOptions): Promise<Database> => {
  const { url, schema, migrations, poolSize = 10, logger } = options
  const settings = connectionSettings(url, schema)
  await migrate({ settings, schema, folder: migrations, ...(logger && { logger }) })

  const pool = new pg.Pool({ ...settings, max: poolSize, idleTimeoutMillis: 30_000 })
  // A connection that breaks while nobody uses it leaves the pool; the next query opens another.
  pool.on('error', (err) => logger?.warn({ component: 'postgres', err }, 'An idle connection broke'))

  const checkOut = async (): Promise<pg.PoolClient> => {
    try {
      return await pool.connect()
    } catch (error) {
      throw asServiceTrouble(error)
    }
  }

  const database: Database = {
    ...queryableOn(pool),
    async transaction(work) {
      const client = await checkOut()
      // The pool listens only while a client is its own; without a listener a broken connection would end the process.
      let broken: Error | undefined
      const onError = (error: Error) => {
        broken = error
      }
      client.on('error', onError)
      const transaction = queryableOn(client)
      try {
        await transaction.query('begin')
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
    },
    ready: () =>
      database.query('select 1').then(
        () => true,
        () => false,
      ),
    close: () => pool.end(),
  }
  return database
}
