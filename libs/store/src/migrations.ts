/**
 * - Each file is applied exactly once, however many processes start at the same time: an advisory lock admits one.
 * - A file and its record are one transaction: a partial migration is rolled back. A lock is waited for only a short time,
 *   since requests wait behind it, and the file is tried again.
 * - A file that begins with `-- no transaction` is for `create index concurrently`, which cannot be in one. Its statements,
 *   which end with a `;` at the end of a line, run one by one, and all of them again when one has failed.
 * - Applied files must not change. A file that changed afterwards, or that was added below a newer one, is an error.
 * - Migrations newer than the files are allowed: an old process may start while a new one is being rolled out.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { retry } from '@parlance/async'
import type pg from 'pg'
import type { StoreLogger } from './database.js'
import { connectAtStart } from './postgres-connection.js'
import { grantToServiceRole } from './service-role.js'
import { messageOf } from './store-errors.js'

/**
 * For migrations: `select protect('notes');` puts a table with a `workspace_id` under row-level security. Its rows are then visible
 * only to transactions of their workspace, and to those of all workspaces (`database.ts`).
 */
const createProtect = `
  create or replace function protect(protected regclass) returns void language plpgsql as $body$
  begin
    execute format('alter table %s enable row level security', protected);
    execute format('alter table %s force row level security', protected);
    execute format($policy$
      create policy of_workspace on %s using (
        workspace_id = (select nullif(current_setting('parlance.workspace_id', true), '')::uuid)
        or (select current_setting('parlance.every_workspace', true)) = 'on')
    $policy$, protected);
  end
  $body$`

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
      // A checkout may convert line ends, which does not count as a change.
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
      throw new Error(`Migration ${name} differs from the applied ${record.name}; undo the change and add a new file`)
    }
    if (!record && newest && number < newest.number) {
      throw new Error(
        `Migration ${name} comes before ${newest.name}, which is already applied; give it a higher number`,
      )
    }
  }
  return migrations.filter(({ number }) => !applied.has(number))
}

const record = (client: pg.Client, { number, name, sha256 }: Migration) =>
  client.query('insert into migrations (number, name, sha256) values ($1, $2, $3)', [number, name, sha256])

const lockTimeoutMs = 3_000
const lockBackoff = { firstMs: 500, maxMs: 5_000 }
const maxLockAttempts = 10
const lockNotAvailable = '55P03'

const applyInTransaction = async (client: pg.Client, migration: Migration): Promise<void> => {
  try {
    await client.query(`begin; set local lock_timeout = ${lockTimeoutMs}`)
    await client.query(migration.sql)
    await record(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

const outsideTransaction = /^-- no transaction\n/

const applyOneByOne = async (client: pg.Client, migration: Migration): Promise<void> => {
  for (const statement of migration.sql.split(/(?<=;)\n/)) await client.query(statement)
  await record(client, migration)
}

const apply = async (client: pg.Client, migration: Migration): Promise<void> => {
  const applyOnce = outsideTransaction.test(migration.sql) ? applyOneByOne : applyInTransaction
  try {
    await retry(() => applyOnce(client, migration), {
      backoff: lockBackoff,
      maxAttempts: maxLockAttempts,
      shouldRetry: (error) => (error as { code?: unknown }).code === lockNotAvailable,
    })
  } catch (error) {
    throw new Error(`Migration ${migration.name} failed: ${messageOf(error)}`)
  }
}

const lockPollMs = 100

/** `pg_advisory_lock` would wait with a snapshot, for whose end `create index concurrently` in the other process waits. */
const lockMigrations = async (client: pg.Client, schema: string): Promise<void> => {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(`select pg_try_advisory_lock(${lock}) as locked`, [schema])
    if (rows[0]?.locked) return
    await setTimeout(lockPollMs)
  }
}

export interface MigrateOptions {
  settings: pg.ClientConfig
  schema: string
  folder: URL
  logger?: StoreLogger
}

interface Migrated {
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
    await lockMigrations(client, schema)
    await createSchemaIfMissing(client, schema)
    const pending = await pendingMigrations(client, schema, migrations)
    if (pending.length > 0) await client.query(createProtect)
    for (const migration of pending) {
      await apply(client, migration)
      logger?.info({ component: 'postgres', schema, migration: migration.name }, 'Applied a migration')
    }
    return { applied: pending.map(({ name }) => name), role: await grantToServiceRole(client, schema) }
  } finally {
    await client.end().catch(() => {})
  }
}

interface MigrationState {
  /** The names of files, as in `SchemaState`. */
  readonly applied: readonly string[]
  readonly pending: readonly string[]
  readonly unknown: readonly string[]
  readonly changed: readonly string[]
  /** The tables that the migrations put under row-level security. */
  readonly protectedTables: readonly string[]
}

const forcesRowSecurity = /^(?:alter table (\w+) force row level security|select protect\('(\w+)'\));$/gm

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
      [...sql.matchAll(forcesRowSecurity)].map(([, altered, protect = '']) => altered ?? protect),
    ),
  }
}
