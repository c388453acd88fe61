/**
 * - Each file is applied exactly once, however many processes start at the same time: an advisory lock admits one.
 * - A file and its record are one transaction: a partial migration is rolled back.
 * - Applied files must not change. A file that changed afterwards, or that was added below a newer one, is an error.
 * - Migrations newer than the files are allowed: an old process may start while a new one is being rolled out.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { messageOf } from './error-message.js'
import { connectAtStart } from './postgres-connection.js'
import { grantToServiceRole } from './service-role.js'
import type { StoreLogger } from './store-logger.js'

interface Migration {
  readonly number: number
  readonly name: string
  readonly sql: string
  readonly sha256: string
}

const asFolder = (folder: URL): URL => (folder.pathname.endsWith('/') ? folder : new URL(`${folder.href}/`))

const readMigrations = async (folder: URL): Promise<Migration[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const migrations = await Promise.all(
    names.map(async (name): Promise<Migration> => {
      const number = Number(/^(\d{3})-[a-z0-9-]+\.sql$/.exec(name)?.[1])
      if (Number.isNaN(number)) throw new Error(`Migration ${name} is not named like 001-what-it-does.sql`)
      // A checkout may have turned the ends of lines; that is no change.
      const sql = (await readFile(new URL(name, asFolder(folder)), 'utf8')).replaceAll('\r\n', '\n')
      return { number, name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
  const twice = migrations.find(({ number }, index) => migrations[index + 1]?.number === number)
  if (twice) throw new Error(`Two migrations in ${fileURLToPath(folder)} have the number of ${twice.name}`)
  return migrations
}

/** Two keys of a lock: one for all migrations, one for the schema. */
const lock = "hashtext('parlance migrations'), hashtext($1)"

const createSchemaIfMissing = async (client: pg.Client, schema: string): Promise<void> => {
  // Looked up first: `create schema if not exists` asks for a right that a role may lack once its schema is there.
  const found = await client.query('select from pg_namespace where nspname = $1', [schema])
  if (found.rowCount === 0) await client.query(`create schema ${schema}`)
  await client.query(`create table if not exists ${schema}.migrations (
    number integer primary key,
    name text not null,
    sha256 text not null,
    applied_at timestamptz not null default now()
  )`)
}

type AppliedMigration = Omit<Migration, 'sql'>

const readApplied = async (client: pg.Client, schema: string): Promise<AppliedMigration[]> =>
  (await client.query<AppliedMigration>(`select number, name, sha256 from ${schema}.migrations order by number`)).rows

const pendingMigrations = async (
  client: pg.Client,
  schema: string,
  migrations: readonly Migration[],
): Promise<Migration[]> => {
  const rows = await readApplied(client, schema)
  const applied = new Map(rows.map((row) => [row.number, row]))
  const newest = rows.at(-1)
  for (const { number, name, sha256 } of migrations) {
    const record = applied.get(number)
    if (record && record.sha256 !== sha256) {
      throw new Error(`Migration ${name} is not what was applied as ${record.name}; undo the change and add a new file`)
    }
    if (!record && newest && number < newest.number) {
      throw new Error(
        `Migration ${name} comes before ${newest.name}, which is already applied; give it a higher number`,
      )
    }
  }
  return migrations.filter(({ number }) => !applied.has(number))
}

const apply = async (client: pg.Client, { number, name, sql, sha256 }: Migration): Promise<void> => {
  try {
    await client.query('begin')
    await client.query(sql)
    await client.query('insert into migrations (number, name, sha256) values ($1, $2, $3)', [number, name, sha256])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw new Error(`Migration ${name} failed: ${messageOf(error)}`)
  }
}

export interface MigrateOptions {
  settings: pg.ClientConfig
  schema: string
  folder: URL
  logger?: StoreLogger
}

export interface Migrated {
  /** The names of the files that were applied now. */
  readonly applied: string[]
  /** The role that works on the schema, where it is not the connecting user itself. */
  readonly role: string | undefined
}

/** Creates the schema if it is missing and applies every file that is not yet applied, in order. */
export const migrate = async ({ settings, schema, folder, logger }: MigrateOptions): Promise<Migrated> => {
  const migrations = await readMigrations(folder)
  // Waiting for another process's migrations, and a migration itself, may take longer than a statement of a request.
  const client = await connectAtStart({ ...settings, statement_timeout: 0, query_timeout: 0 })
  try {
    // Held until this connection ends.
    await client.query(`select pg_advisory_lock(${lock})`, [schema])
    await createSchemaIfMissing(client, schema)
    const pending = await pendingMigrations(client, schema, migrations)
    for (const migration of pending) {
      await apply(client, migration)
      logger?.info({ component: 'postgres', schema, migration: migration.name }, 'Applied a migration')
    }
    return { applied: pending.map(({ name }) => name), role: await grantToServiceRole(client, schema) }
  } finally {
    await client.end().catch(() => {})
  }
}

export interface MigrationState {
  /** The names of files, as in `SchemaState`. */
  readonly applied: readonly string[]
  readonly pending: readonly string[]
  readonly unknown: readonly string[]
  readonly changed: readonly string[]
  /** The tables that the migrations put under row-level security. */
  readonly protectedTables: readonly string[]
}

const forcesRowSecurity = /^alter table (\w+) force row level security;$/gm

/** Compares the files of a folder with what is applied to a schema, which need not exist. */
export const migrationStateOf = async (client: pg.Client, schema: string, folder: URL): Promise<MigrationState> => {
  const migrations = await readMigrations(folder)
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [
    `${schema}.migrations`,
  ])
  const applied = rows[0]?.found ? await readApplied(client, schema) : []
  const byNumber = new Map(migrations.map((migration) => [migration.number, migration]))
  const isApplied = new Set(applied.map(({ number }) => number))
  return {
    applied: applied.map(({ name }) => name),
    pending: migrations.filter(({ number }) => !isApplied.has(number)).map(({ name }) => name),
    unknown: applied.filter(({ number }) => !byNumber.has(number)).map(({ name }) => name),
    changed: applied
      .filter(({ number, sha256 }) => byNumber.has(number) && byNumber.get(number)?.sha256 !== sha256)
      .map(({ name }) => name),
    protectedTables: migrations.flatMap(({ sql }) =>
      [...sql.matchAll(forcesRowSecurity)].map(([, table = '']) => table),
    ),
  }
}
