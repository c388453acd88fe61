import { setTimeout as delay } from 'node:timers/promises'
import { types } from 'node:util'
import { ServiceError } from '@parlance/contracts'
import pg from 'pg'
import { messageOf } from './error-message.js'

const connectTimeoutMs = 3_000
/** Who refuses is not there, or not yet; who only gives no answer is busy, as all are that start at once on a small machine. */
const startTimeoutMs = { refused: 5_000, silent: 20_000 }
const startRetryMs = 200
/** The server ends a statement after this time; the client gives up a little later, for a server that has vanished. */
const statementTimeoutMs = 10_000
const queryTimeoutMs = 12_000

/** Names are written into SQL, so they are held to what needs no quoting. */
const schemaPattern = /^[a-z][a-z0-9_]{0,62}$/

/** Connection settings with which unqualified names in SQL mean the tables of `schema`, and `role` does what is done. */
export const connectionSettings = (url: string, schema: string, role?: string) => {
  if (!schemaPattern.test(schema)) throw new Error(`"${schema}" is no name for a schema`)
  return {
    connectionString: url,
    options: `-c search_path=${schema}${role === undefined ? '' : ` -c role=${role}`}`,
    application_name: `parlance ${schema}`,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
  }
}

/** Classes of SQLSTATE that tell of the server and not of the statement: connection, shutdown, resources. */
const serverTrouble = /^(08|53|57P|57014)/
const clientTrouble =
  /^Connection terminated|^Query read timeout|timeout exceeded when trying to connect|^Client (has encountered|was closed)|^timeout expired|end on the pool$/

const concernsConnection = (error: unknown): boolean => {
  if (error instanceof pg.DatabaseError) return serverTrouble.test(error.code ?? '')
  if (!types.isNativeError(error)) return false
  const { code = 'ERR_', message } = error as NodeJS.ErrnoException
  // Sockets give the operating system's codes; Node's own, for a misuse of its functions, start with ERR_.
  return !code.startsWith('ERR_') || clientTrouble.test(message)
}

/** What to throw in place of `error`: `ServiceError('unavailable')` when it tells of the server, else itself. */
export const asServiceTrouble = (error: unknown): unknown =>
  concernsConnection(error)
    ? new ServiceError('unavailable', 'A database we depend on cannot be reached. Try again.', { cause: error })
    : error

/** Where Postgres is, without user and password. */
const place = ({ host, port, database }: pg.Client): string => `${host}:${port}/${database}`

const isSilence = (error: unknown): boolean =>
  types.isNativeError(error) &&
  (error.message === 'timeout expired' || (error as NodeJS.ErrnoException).code === 'ETIMEDOUT')

/**
 * Keeps trying, for a Postgres that is starting at the same time: for five seconds where it refuses, for twenty where it gives no
 * answer. Rejects in one line.
 */
export const connectAtStart = async (settings: pg.ClientConfig): Promise<pg.Client> => {
  const begunMs = performance.now()
  for (;;) {
    const client = new pg.Client(settings)
    // Without a listener a connection that breaks would end the process; its query is what reports it.
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      await client.end().catch(() => {})
      const withinMs = isSilence(error) ? startTimeoutMs.silent : startTimeoutMs.refused
      if (!concernsConnection(error) || performance.now() - begunMs > withinMs) {
        throw new Error(`Postgres at ${place(client)} cannot be used: ${messageOf(error)}`)
      }
    }
    await delay(startRetryMs)
  }
}
