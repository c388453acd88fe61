import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Database, openPostgresDatabase } from '@parlance/store'
import { describeWithPrograms, startPostgresServer, type TestServer } from '@parlance/testing'
import pg from 'pg'

describeWithPrograms(['postgres'], 'migrations', () => {
  let server: TestServer
  let folder: string
  let schema = ''
  let schemas = 0
  const opened: Database[] = []

  beforeAll(async () => {
    server = await startPostgresServer()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-migrations-'))
    schema = `schema_${++schemas}`
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((database) => database.close()))
    await rm(folder, { recursive: true })
  })

  const file = (name: string, sql: string) => writeFile(join(folder, name), sql)
  const open = async () => {
    const database = await openPostgresDatabase({ url: server.url, schema, migrations: pathToFileURL(folder) })
    opened.push(database)
    return database
  }
  const applied = async (database: Database) =>
    (await database.query<{ name: string }>('select name from migrations order by number')).map(({ name }) => name)

  test('are applied in order, and again only what is new', async () => {
    await file('002-second.sql', 'insert into step values (2);')
    await file('001-first.sql', 'create table step (n integer); insert into step values (1);')
    await open()
    await file('003-third.sql', 'insert into step values (3);')
    const database = await open()
    expect(await applied(database)).toEqual(['001-first.sql', '002-second.sql', '003-third.sql'])
    expect(await database.query('select n from step')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  })

  test('are applied once by ten processes that start at once', async () => {
    await file('001-slow.sql', 'create table step (n integer); select pg_sleep(0.1); insert into step values (1);')
    await file('002-more.sql', 'insert into step values (2);')
    const built = new URL('../dist/index.js', import.meta.url).href
    const script = `import { openPostgresDatabase } from '${built}'
      const database = await openPostgresDatabase({
        url: '${server.url}', schema: '${schema}', migrations: new URL('${pathToFileURL(folder).href}'),
      })
      await database.close()`
    const processes = Array.from({ length: 10 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'inherit', 'inherit'] }),
    )
    const codes = await Promise.all(processes.map(async (child) => (await once(child, 'exit'))[0]))
    expect(codes).toEqual(Array(10).fill(0))
    const database = await open()
    expect(await database.query('select n from step')).toEqual([{ n: 1 }, { n: 2 }])
    expect(await applied(database)).toEqual(['001-slow.sql', '002-more.sql'])
  })

  test('outside a transaction build indexes concurrently, once by simultaneous processes, and again after a failure', async () => {
    await file('001-table.sql', 'create table step (n integer); insert into step values (1), (1);')
    await open()
    const make = (unique: string) => `-- no transaction
drop index concurrently if exists step_n;
create ${unique} index concurrently step_n
  on step (n);
`
    await file('002-index.sql', make('unique'))
    await expect(open()).rejects.toThrow(/^Migration 002-index\.sql failed: could not create unique index/)
    await file('002-index.sql', make(''))
    const [database] = await Promise.all(Array.from({ length: 5 }, open))
    expect(await applied(database!)).toEqual(['001-table.sql', '002-index.sql'])
    expect(await database!.query(`select indisvalid from pg_index where indexrelid = 'step_n'::regclass`)).toEqual([
      { indisvalid: true },
    ])
  })

  test('wait only a short time for a lock behind which others wait, and are applied when it is free', async () => {
    await file('001-table.sql', 'create table step (n integer);')
    const database = await open()
    const holder = new pg.Client(server.url)
    await holder.connect()
    await holder.query(`begin; select from ${schema}.step`)
    await file('002-column.sql', 'alter table step add column m integer;')
    const opening = open()
    const blocked = () =>
      holder.query(`select from pg_locks where relation = '${schema}.step'::regclass and not granted`)
    while ((await blocked()).rowCount === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    // It waits behind the migration, until that gives up.
    expect(await database.query('select n from step')).toEqual([])
    await holder.query('commit')
    await holder.end()
    expect(await applied(await opening)).toEqual(['001-table.sql', '002-column.sql'])
  })

  test('that fail are rolled back, and run again when they are fixed', async () => {
    await file('001-good.sql', 'create table step (n integer);')
    await file('002-bad.sql', 'insert into step values (2); select no_such_thing;')
    await expect(open()).rejects.toThrow(/^Migration 002-bad\.sql failed: column "no_such_thing" does not exist$/)
    await file('002-bad.sql', 'insert into step values (2);')
    const database = await open()
    expect(await database.query('select n from step')).toEqual([{ n: 2 }])
  })

  test('that were changed after they were applied are an error that names them', async () => {
    await file('001-first.sql', 'create table step (n integer);')
    await open()
    await file('001-first.sql', 'create table step (n bigint);')
    await expect(open()).rejects.toThrow('Migration 001-first.sql differs from the applied 001-first.sql')
  })

  test('with other line ends count as unchanged', async () => {
    await file('001-first.sql', 'create table step (\n n integer\n);\n')
    await open()
    await file('001-first.sql', (await readFile(join(folder, '001-first.sql'), 'utf8')).replaceAll('\n', '\r\n'))
    await open()
  })

  test('that are numbered below an applied one, are misnamed or share a number are errors that name them', async () => {
    await file('002-second.sql', 'create table step (n integer);')
    await open()
    await file('001-late.sql', 'select 1;')
    await expect(open()).rejects.toThrow('Migration 001-late.sql comes before 002-second.sql')
    await rm(join(folder, '001-late.sql'))
    await file('002-twin.sql', 'select 1;')
    await expect(open()).rejects.toThrow('have the number of 002-second.sql')
    await rm(join(folder, '002-twin.sql'))
    await file('3_third.sql', 'select 1;')
    await expect(open()).rejects.toThrow('Migration 3_third.sql is not named like')
  })

  test('of a newer version do not stop an older process', async () => {
    await file('001-first.sql', 'create table step (n integer);')
    await file('002-newer.sql', 'insert into step values (2);')
    await open()
    await rm(join(folder, '002-newer.sql'))
    await open()
  })

  test('can be applied by a role that owns its schema and cannot create schemas', async () => {
    const admin = new pg.Client(server.url)
    await admin.connect()
    await admin.query(`create role limited_${schemas} login`)
    await admin.query(`create schema owned_${schemas} authorization limited_${schemas}`)
    await admin.end()
    await file('001-first.sql', 'create table step (n integer);')
    const database = await openPostgresDatabase({
      url: server.url.replace('postgres@', `limited_${schemas}@`),
      schema: `owned_${schemas}`,
      migrations: pathToFileURL(folder),
    })
    opened.push(database)
    expect(await applied(database)).toEqual(['001-first.sql'])
  })
})
