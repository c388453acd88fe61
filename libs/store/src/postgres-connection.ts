import { types } from 'node:util'
import { retry } from '@parlance/async'
import { ServiceError, type ServiceErrorOptions } from '@parlance/contracts'
import pg from 'pg'
import type { StoreLogger } from './database.js'
import { messageOf, UnreachableError } from './store-errors.js'

/** A server that stops or starts still executes some statements. It counts as available when none has failed for this time. */
const backAfterMs = 5_000

/**
 * Logs one line when a server cannot be reached, and one when it can be reached again, however many statements fail
 * meanwhile. `now` is a monotonic clock in ms.
 */
export const createPostgresOutage = (logger?: StoreLogger, now = () => performance.now()) => {
  let count = 0
  let beganMs = 0
  let lastFailureMs = 0
  return {
    /** A statement has failed because of the server. */
    failed(err: unknown): void {
      lastFailureMs = now()
      count += 1
      if (count > 1) return
      beganMs = lastFailureMs
      logger?.error({ component: 'postgres', err }, 'Postgres cannot be reached')
    },
    succeeded(): void {
      if (count === 0) return
      const nowMs = now()
      if (nowMs - lastFailureMs < backAfterMs) return
      const durationMs = Math.round(nowMs - beganMs)
      logger?.warn({ component: 'postgres', count, durationMs }, 'Postgres can be reached again')
      count = 0
    },
  }
}

export type PostgresOutage = ReturnType<typeof createPostgresOutage>

const connectTimeoutMs = 3_000
/**
 * A server that refuses connections is absent or starting. One that does not answer is busy, as on a small machine at its
 * start.
 */
const startTimeoutMs = { refused: 5_000, silent: 20_000 }
const startBackoff = { firstMs: 200, maxMs: 200 }
/** The server ends a statement after this time. The client gives up a little later, in case the server has vanished. */
const statementTimeoutMs = 10_000
const queryTimeoutMs = 12_000

/** Names are written into SQL, so only names that need no quotes are valid. */
const schemaPattern = /^[a-z][a-z0-9_]{0,62}$/

export const connectionSettings = (url: string) => ({
  connectionString: url,
  application_name: 'parlance',
  connectionTimeoutMillis: connectTimeoutMs,
  statement_timeout: statementTimeoutMs,
  query_timeout: queryTimeoutMs,
  keepAlive: true,
})

/** Connection settings with which unqualified names in SQL refer to tables of `schema`. */
export const schemaSettings = (url: string, schema: string) => {
  if (!schemaPattern.test(schema)) throw new Error(`"${schema}" cannot be the name of a schema`)
  return { ...connectionSettings(url), options: `-c search_path=${schema}`, application_name: `parlance ${schema}` }
}

/** At most `size` connections to a server. Each database sets its schema on those that it uses. */
export const createPostgresPool = (url: string, size: number): pg.Pool => {
  const pool = new pg.Pool({ ...connectionSettings(url), max: size, idleTimeoutMillis: 10_000 })
  // A connection that breaks leaves the pool. Its query, or the next one, reports the error; without listeners it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Classes of SQLSTATE for faults of the server, not of the statement: connection, shutdown, resources. */
const serverTrouble = /^(08|53|57P)/
/** The server ended a statement that took too long. */
const statementTimeout = '57014'
const clientTrouble =
  /^Connection terminated|^Query read timeout|timeout exceeded when trying to connect|^Client (has encountered|was closed)|^timeout expired|end on the pool$/

const concernsConnection = (error: unknown): boolean => {
  if (error instanceof pg.DatabaseError) return serverTrouble.test(error.code ?? '')
  if (!types.isNativeError(error)) return false
  const { code = 'ERR_', message } = error as NodeJS.ErrnoException
  // Errors of sockets have the codes of the operating system. Node's own codes, for misuse of its functions, start with ERR_.
  return !code.startsWith('ERR_') || clientTrouble.test(message)
}

const unavailable = (options: ServiceErrorOptions) =>
  new ServiceError('unavailable', 'A database we depend on cannot be reached. Try again.', options)

/**
 * The error to throw in place of `error`: `ServiceError('unavailable')` where it concerns the server, else itself. `outage`
 * logs faults that affect all statements.
 */
export const asServiceTrouble = (error: unknown, outage: PostgresOutage): unknown => {
  if (error instanceof pg.DatabaseError && error.code === statementTimeout) return unavailable({ cause: error })
  if (!concernsConnection(error)) return error
  outage.failed(error)
  return unavailable({ isReported: true })
}

/** The address without user and password. */
const place = ({ host, port, database }: pg.Client): string => `${host}:${port}/${database}`

const isSilence = (error: unknown): boolean =>
  types.isNativeError(error) &&
  (error.message === 'timeout expired' || (error as NodeJS.ErrnoException).code === 'ETIMEDOUT')

/**
 * Connects to a Postgres that may be starting at the same time. Rejects with one line, as `UnreachableError` after five seconds
 * where it refuses connections and after twenty where it does not answer.
 */
export const connectAtStart = (settings: pg.ClientConfig): Promise<pg.Client> => {
  const startedAtMs = performance.now()
  const shouldRetry = (error: unknown) => {
    const timeoutMs = isSilence(error) ? startTimeoutMs.silent : startTimeoutMs.refused
    return concernsConnection(error) && performance.now() - startedAtMs <= timeoutMs
  }
  return retry(() => connectOnce(settings), { backoff: startBackoff, shouldRetry }).catch((error: unknown) => {
    const message = `Postgres at ${place(new pg.Client(settings))} cannot be used: ${messageOf(error)}`
    throw concernsConnection(error) ? new UnreachableError(message) : new Error(message)
  })
}

const connectOnce = async (settings: pg.ClientConfig): Promise<pg.Client> => {
  const client = new pg.Client(settings)
  // Without a listener a connection that breaks would end the process; its query reports the error.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}
