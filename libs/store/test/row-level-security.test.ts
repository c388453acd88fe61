import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Database, migratePostgres, openPostgresDatabase, type Queryable } from '@parlance/store'
import { describeWithPrograms, startPostgresServer, type TestServer } from '@parlance/testing'
import pg from 'pg'

const migration = `
create table note (workspace_id uuid not null, text text not null);
select protect('note');
`

describeWithPrograms(['postgres'], 'row-level security', () => {
  const [here, there] = [randomUUID(), randomUUID()]
  let server: TestServer
  let folder: string
  let url: string

  const admin = async (sql: string): Promise<void> => {
    const client = new pg.Client(server.url)
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }
  const migrations = () => pathToFileURL(folder)

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-policies-'))
    await writeFile(join(folder, '001-note.sql'), migration)
    server = await startPostgresServer()
    // A database whose owner has no other rights, as platform teams provide it.
    await admin("create role tenant login password 'x'")
    await admin('create database plain owner tenant')
    url = server.url.replace('postgres@', 'tenant:x@').replace(/postgres$/, 'plain')
  })
  afterAll(async () => {
    await server.stop()
    await rm(folder, { recursive: true })
  })

  const write = (workspaceId: string, text: string) => (transaction: Queryable) =>
    transaction.query('insert into note values ($1, $2)', [workspaceId, text])
  const read = async (transaction: Queryable) =>
    (await transaction.query<{ text: string }>('select text from note order by text')).map(({ text }) => text)

  const binds = (open: () => Promise<Database>): void => {
    let database: Database
    beforeAll(async () => {
      database = await open()
      await database.inWorkspace(here, write(here, 'mine'))
      await database.inWorkspace(there, write(there, 'yours'))
    })
    afterAll(() => database.close())

    test('a workspace sees its own rows, without any condition in the query', async () => {
      expect(await database.inWorkspace(here, read)).toEqual(['mine'])
      expect(await database.inWorkspace(there, read)).toEqual(['yours'])
    })

    test('a workspace can neither write, change nor delete a row of another', async () => {
      await expect(database.inWorkspace(here, write(there, 'forged'))).rejects.toThrow('row-level security')
      await database.inWorkspace(here, (transaction) => transaction.query("update note set text = 'changed'"))
      await database.inWorkspace(here, (transaction) => transaction.query("delete from note where text = 'yours'"))
      expect(await database.acrossWorkspaces(read)).toEqual(['changed', 'yours'])
      await database.inWorkspace(here, (transaction) => transaction.query("update note set text = 'mine'"))
    })

    test('outside of a workspace no rows are visible, even on a connection that was in one before', async () => {
      await Promise.all(Array.from({ length: 20 }, () => database.inWorkspace(here, read)))
      const seen = await Promise.all(Array.from({ length: 20 }, () => read(database)))
      expect(seen.flat()).toEqual([])
      expect(await database.transaction(read)).toEqual([])
      await expect(write(here, 'nobody')(database)).rejects.toThrow('row-level security')
    })

    test('a failed transaction leaves no workspace behind on its connection', async () => {
      const failing = database.inWorkspace(here, () => Promise.reject(new Error('no')))
      await expect(failing).rejects.toThrow('no')
      expect(await read(database)).toEqual([])
    })

    test('an invalid workspace id never reaches the SQL', async () => {
      await expect(database.inWorkspace("'; drop table note; --", read)).rejects.toThrow('workspace id')
    })
  }

  describe('for a superuser, through a role of the schema', () => {
    binds(() => openPostgresDatabase({ url: server.url, schema: 'policies', migrations: migrations() }))

    test('the role has no rights elsewhere', async () => {
      await admin('create schema elsewhere; create table elsewhere.secret (text text)')
      const database = await openPostgresDatabase({ url: server.url, schema: 'policies', migrations: migrations() })
      await expect(database.query('select * from elsewhere.secret')).rejects.toThrow('permission denied')
      await expect(database.query('drop table note')).rejects.toThrow('must be owner')
      await database.close()
    })
  })

  describe('for the plain owner of a database', () => {
    binds(() => openPostgresDatabase({ url, schema: 'policies', migrations: migrations() }))
  })

  test('migrating reports which files it applied, and none the second time', async () => {
    const once = () => migratePostgres({ url: server.url, schema: 'fresh', migrations: migrations() })
    expect(await once()).toEqual(['001-note.sql'])
    expect(await once()).toEqual([])
  })
})
