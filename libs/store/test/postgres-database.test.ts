import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  createPostgresOutage,
  createPostgresPool,
  type Database,
  openPostgresDatabase,
  type PostgresDatabaseOptions,
} from '@parlance/store'
import { describeWithPrograms, freePort, startPostgresServer, type TestServer } from '@parlance/testing'
import pg from 'pg'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parlance-migrations-'))
  await writeFile(join(folder, '001-start.sql'), 'create table note (text text not null unique);')
})
afterAll(() => rm(folder, { recursive: true }))

const until = async (check: () => Promise<boolean>): Promise<void> => {
  while (!(await check())) await new Promise((resolve) => setTimeout(resolve, 20))
}

describeWithPrograms(['postgres'], 'the Postgres database', () => {
  let server: TestServer
  let database: Database
  const notes = async () =>
    (await database.query<{ text: string }>('select text from note order by 1')).map((r) => r.text)
  const open = (schema: string, more: Partial<PostgresDatabaseOptions> = {}) =>
    openPostgresDatabase({ url: server.url, schema, migrations: pathToFileURL(folder), ...more })

  const asSuperuser = async (sql: string) => {
    const client = new pg.Client(server.url)
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }

  beforeAll(async () => {
    server = await startPostgresServer()
    database = await open('notes')
  })
  afterAll(async () => {
    await database.close()
    await server.stop()
  })
  beforeEach(() => database.query('delete from note'))

  test('unqualified names refer to the tables of its schema', async () => {
    const other = await open('other_notes')
    await database.query('insert into note values ($1)', ['mine'])
    expect(await other.query('select * from note')).toEqual([])
    await other.close()
  })

  test('a transaction whose work resolves is committed, and resolves with the result of the work', async () => {
    const answer = await database.transaction(async (transaction) => {
      await transaction.query('insert into note values ($1)', ['kept'])
      return 42
    })
    expect(answer).toBe(42)
    expect(await notes()).toEqual(['kept'])
  })

  test('a transaction whose work rejects leaves nothing behind, and rejects with the same error', async () => {
    const cause = new Error('changed my mind')
    const work = database.transaction(async (transaction) => {
      await transaction.query('insert into note values ($1)', ['lost'])
      throw cause
    })
    await expect(work).rejects.toBe(cause)
    expect(await notes()).toEqual([])
  })

  test('an SQL error is thrown unchanged, and the connection stays usable', async () => {
    const pool = createPostgresPool(server.url, 1)
    const small = await open('notes', { pool })
    await small.query('insert into note values ($1)', ['one'])
    await expect(small.query('insert into note values ($1)', ['one'])).rejects.toMatchObject({ code: '23505' })
    await expect(small.transaction((t) => t.query('select nonsense'))).rejects.toMatchObject({ code: '42703' })
    expect(await small.ready()).toBe(true)
    await pool.end()
  })

  test('work waits while all connections of the pool are in use', async () => {
    const pool = createPostgresPool(server.url, 2)
    const small = await open('notes', { pool })
    await Promise.all(Array.from({ length: 40 }, (_, n) => small.query('insert into note values ($1)', [`${n}`])))
    expect(await notes()).toHaveLength(40)
    await pool.end()
  })

  test('databases that share one connection each have their own schema and role, also after a failed transaction', async () => {
    const pool = createPostgresPool(server.url, 1)
    const names = ['notes', 'other_notes']
    const databases = await Promise.all(names.map((name) => open(name, { pool })))
    await expect(databases[0]!.transaction((t) => t.query('select nonsense'))).rejects.toThrow('nonsense')
    for (const [index, shared] of [...databases.entries(), ...databases.entries()]) {
      expect(await shared.query('select current_schema() as schema, current_role as role')).toEqual([
        { schema: names[index], role: `parlance_${names[index]}` },
      ])
      const client = await shared.pool.connect()
      const { rows } = await client.query('select current_schema() as schema')
      expect(rows).toEqual([{ schema: names[index] }])
      client.release()
    }
    await pool.end()
  })

  test('a connection that breaks during a transaction makes it fail with unavailable, and the process continues', async () => {
    const broken = database.transaction(async (transaction) => {
      const [row] = await transaction.query<{ pid: number }>('select pg_backend_pid() as pid')
      await asSuperuser(`select pg_terminate_backend(${row?.pid})`)
      await transaction.query('insert into note values ($1)', ['lost'])
    })
    await expect(broken).rejects.toMatchObject({ name: 'ServiceError', code: 'unavailable' })
    expect(await notes()).toEqual([])
  })

  test('without a server it is unavailable, and it works again when the server is back', async () => {
    await database.query('insert into note values ($1)', ['durable'])
    await server.kill('SIGQUIT')
    await expect(database.query('select 1')).rejects.toMatchObject({ name: 'ServiceError', code: 'unavailable' })
    await expect(database.transaction((t) => t.query('select 1'))).rejects.toMatchObject({ code: 'unavailable' })
    expect(await database.ready()).toBe(false)
    await server.restart()
    await until(() => database.ready())
    expect(await notes()).toEqual(['durable'])
  })

  test('a server that is away is logged once, however many statements fail, and once when it is back', async () => {
    const lines: { level: string; message: string; count?: number }[] = []
    const logAs = (level: string) => (fields: { component: string; count?: number }, message: string) =>
      void lines.push({ level, message, ...(fields.count !== undefined && { count: fields.count }) })
    const logger = { info: () => {}, warn: logAs('warn'), error: logAs('error') }
    let skippedMs = 0
    const outage = createPostgresOutage(logger, () => performance.now() + skippedMs)
    const databases = [await open('notes', { outage }), await open('other_notes', { outage })]
    const failures = () =>
      Promise.all(
        databases.flatMap((one) => Array.from({ length: 10 }, () => one.query('select 1').catch((error) => error))),
      )
    await server.kill('SIGQUIT')
    for (const error of await failures()) expect(error).toMatchObject({ code: 'unavailable', isReported: true })
    expect(lines).toEqual([{ level: 'error', message: 'Postgres cannot be reached' }])
    await server.restart()
    await until(() => databases[0]!.ready())
    // It may still refuse a statement.
    expect(lines).toHaveLength(1)
    skippedMs = 5_000
    await databases[1]!.query('select 1')
    expect(lines.slice(1)).toEqual([
      { level: 'warn', message: 'Postgres can be reached again', count: expect.any(Number) },
    ])
    expect(lines[1]!.count).toBeGreaterThanOrEqual(20)
    await Promise.all(databases.map((one) => one.close()))
  })

  test('a wrong password or database is reported in one line that names the server and the database', async () => {
    const opening = openPostgresDatabase({
      url: `${server.url.replace('postgres@', 'postgres:secret@')}_not_there`,
      schema: 'notes',
      migrations: pathToFileURL(folder),
    })
    await expect(opening).rejects.toThrow(/^Postgres at 127\.0\.0\.1:\d+\/postgres_not_there cannot be used: database/)
  })
})

test('an address without Postgres is reported in one line without the password', async () => {
  const url = `postgres://me:secret@127.0.0.1:${await freePort()}/main`
  const error = await openPostgresDatabase({ url, schema: 'a', migrations: pathToFileURL(folder) }).catch((e) => e)
  expect(error.message).toMatch(/^Postgres at 127\.0\.0\.1:\d+\/main cannot be used: connect ECONNREFUSED/)
  expect(error.message).not.toMatch(/secret|\n/)
})

test('a schema whose name would need quoting is refused', async () => {
  const opening = openPostgresDatabase({ url: 'postgres://x', schema: 'a; drop', migrations: pathToFileURL(folder) })
  await expect(opening).rejects.toThrow('cannot be the name of a schema')
})
