import { performance } from 'node:perf_hooks'
import pg from 'pg'
import type { DatabaseSchema } from './database.js'
import { migrationStateOf } from './migrations.js'
import { connectionSettings } from './postgres-connection.js'
import { serviceRoleOf } from './service-role.js'
import { messageOf } from './store-errors.js'

/** A role of Postgres, and whether row-level security binds it. */
export interface RoleState {
  readonly name: string
  readonly isSuperuser: boolean
  readonly bypassesRowSecurity: boolean
}

/** A table that has rows of workspaces. */
interface TableState {
  readonly name: string
  /** Row-level security is enabled. */
  readonly isEnabled: boolean
  /** Whether it also applies to the owner of the table. */
  readonly isForced: boolean
}

/** A schema, compared with the migrations in its folder. The names are those of migration files. */
export interface SchemaState {
  readonly schema: string
  readonly applied: readonly string[]
  readonly pending: readonly string[]
  /** Applied, but not in the folder. */
  readonly unknown: readonly string[]
  /** Applied with different content than in the folder. */
  readonly changed: readonly string[]
  /** The tables that the migrations put under row-level security. */
  readonly tables: readonly TableState[]
  /** The role that works on the schema; undefined when it is the connecting role or does not exist yet. */
  readonly serviceRole: RoleState | undefined
}

/** The state of a Postgres server. */
export interface PostgresState {
  /** Such as `16.2`, and its first number. */
  readonly version: string
  readonly majorVersion: number
  readonly isEncrypted: boolean
  readonly role: RoleState
  readonly schemas: readonly SchemaState[]
  /** Its clock, in ms since 1970, and the time of this process at that moment. */
  readonly clockMs: number
  readonly ownClockMs: number
}

interface ServerRow {
  readonly version: string
  readonly number: number
  readonly encrypted: boolean
  readonly now_ms: number
}

const readRole = async (client: pg.Client, name: string): Promise<RoleState | undefined> => {
  const { rows } = await client.query<{ rolsuper: boolean; rolbypassrls: boolean }>(
    'select rolsuper, rolbypassrls from pg_roles where rolname = $1',
    [name],
  )
  const [row] = rows
  return row && { name, isSuperuser: row.rolsuper, bypassesRowSecurity: row.rolbypassrls }
}

const readTables = async (client: pg.Client, schema: string, names: readonly string[]): Promise<TableState[]> => {
  const { rows } = await client.query<TableState>(
    `select relname as name, relrowsecurity as "isEnabled", relforcerowsecurity as "isForced"
     from pg_class where relnamespace = to_regnamespace($1) and relkind in ('r', 'p') and relname = any ($2)
     order by relname`,
    [schema, names],
  )
  return rows
}

const readSchema = async (client: pg.Client, { schema, migrations }: DatabaseSchema): Promise<SchemaState> => {
  const { protectedTables, ...state } = await migrationStateOf(client, schema, migrations)
  return {
    schema,
    ...state,
    tables: await readTables(client, schema, protectedTables),
    serviceRole: await readRole(client, serviceRoleOf(schema)),
  }
}

/** Longer than services wait, because the server, or a machine that also loads models for this inspection, may just be busy. */
const connectTimeoutMs = 10_000

/**
 * Reads the state of a Postgres server and of the schemas of services, and changes nothing. Rejects with one line when the
 * server cannot be reached, or refuses the credentials.
 */
export const inspectPostgres = async (url: string, schemas: readonly DatabaseSchema[]): Promise<PostgresState> => {
  const client = new pg.Client({
    ...connectionSettings(url),
    application_name: 'parlance doctor',
    connectionTimeoutMillis: connectTimeoutMs,
  })
  // The queries report a connection that breaks.
  client.on('error', () => {})
  try {
    await client.connect()
    const askedMs = performance.now()
    const { rows } = await client.query<ServerRow>(
      `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
              coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as encrypted,
              (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms`,
    )
    const ownClockMs = Date.now() - (performance.now() - askedMs) / 2
    const { version, number, encrypted, now_ms: clockMs } = rows[0]!
    const { rows: users } = await client.query<{ name: string }>('select current_user::text as name')
    const states: SchemaState[] = []
    for (const schema of schemas) states.push(await readSchema(client, schema))
    return {
      version: version.split(' ')[0]!,
      majorVersion: Math.floor(number / 10_000),
      isEncrypted: encrypted,
      role: (await readRole(client, users[0]!.name))!,
      schemas: states,
      clockMs,
      ownClockMs,
    }
  } catch (error) {
    throw new Error(messageOf(error))
  } finally {
    await client.end().catch(() => {})
  }
}
