import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { describeWithPrograms, freePort, startPostgresServer, type TestServer } from '@parlance/testing'
import { checkMigrations } from '../../src/doctor/checks/migrations.js'
import { checkPostgres } from '../../src/doctor/checks/postgres.js'
import { migrateDatabases } from '../../src/migrate-databases.js'
import { createContext, expectFinding, expectFine } from './check-context.js'
import { createSqlClient, type SqlClient } from './sql-client.js'

const contextOf = (DATABASE_URL: string) => createContext({ environment: { DATABASE_URL } })

test('npm start has no external Postgres to check', async () => {
  expectFinding(await checkPostgres(createContext()), 'skipped', /npm start runs and migrates its own Postgres/)
  expectFinding(await checkMigrations(createContext()), 'skipped', /npm start runs and migrates its own Postgres/)
})

describeWithPrograms(['postgres'], 'the checks of Postgres', () => {
  let postgres: TestServer
  let admin: SqlClient
  /** The owner of a separate database, without other rights. */
  let ownerUrl: string

  beforeAll(async () => {
    postgres = await startPostgresServer()
    admin = await createSqlClient(postgres.url)
    await admin.run('create role owner login')
    await admin.run('create database owned owner owner')
    ownerUrl = postgres.url.replace('postgres@', 'owner@').replace(/postgres$/, 'owned')
  })
  afterAll(async () => {
    await admin?.close()
    await postgres?.stop()
  })

  test('a Postgres that takes four seconds to answer a connection is inspected', async () => {
    const proxy = createServer((socket) => {
      socket.pause()
      setTimeout(() => {
        const { hostname, port } = new URL(ownerUrl)
        const server = connect(Number(port), hostname)
        socket.pipe(server).pipe(socket)
      }, 4_000)
    })
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    const url = new URL(ownerUrl)
    url.port = String((proxy.address() as AddressInfo).port)
    expectFinding(await checkPostgres(contextOf(url.href)), 'ok', /^Postgres .* answers/)
    proxy.close()
  })

  test('before the migrations every schema lacks its files', async () => {
    const findings = await checkMigrations(contextOf(ownerUrl))
    expectFinding(findings, 'error', /^The schema auth lacks 001-workspaces-and-keys\.sql/)
    expectFinding(findings, 'error', /^The schema agents lacks 001-agents\.sql/)
  })

  describe('after the migrations', () => {
    let owner: SqlClient
    beforeAll(async () => {
      await migrateDatabases({ DATABASE_URL: ownerUrl }, () => {})
      owner = await createSqlClient(ownerUrl)
    })
    afterAll(() => owner?.close())

    test('a database with its own owner is fine', async () => {
      const findings = await checkPostgres(contextOf(ownerUrl))
      expectFine(findings)
      expectFinding(findings, 'ok', /^Row-level security is enabled and forced on all \d+ tables/)
      expectFinding(findings, 'ok', /^The role owner is bound/)
      expectFine(await checkMigrations(contextOf(ownerUrl)))
    })

    test('a table without row-level security, or without force, is an error', async () => {
      await owner.run('alter table agents.revisions disable row level security')
      await owner.run('alter table agents.publications no force row level security')
      const findings = await checkPostgres(contextOf(ownerUrl))
      expectFinding(findings, 'error', /not enabled on agents\.revisions/)
      expectFinding(findings, 'error', /not forced on agents\.publications/)
      for (const { fix } of findings) await owner.run(/`(alter table .*)`/.exec(fix ?? '')?.[1] ?? 'select 1')
      expectFine(await checkPostgres(contextOf(ownerUrl)))
    })

    test('migrations that are unknown, and those that were changed, are found', async () => {
      await owner.run("insert into auth.migrations (number, name, sha256) values (900, '900-later.sql', 'x')")
      await owner.run("update agents.migrations set sha256 = 'other' where number = 1")
      const findings = await checkMigrations(contextOf(ownerUrl))
      expectFinding(findings, 'warning', /auth has 900-later\.sql, which this version does not know/)
      expectFinding(findings, 'error', /^001-agents\.sql of the schema agents differs from/)
    })
  })

  test('a superuser is a warning, and a role of a service that bypasses row-level security is an error', async () => {
    await migrateDatabases({ DATABASE_URL: postgres.url }, () => {})
    const findings = await checkPostgres(contextOf(postgres.url))
    expectFinding(findings, 'warning', /^The role postgres is a superuser; the services work as roles parlance_/)
    expect(findings.filter(({ status }) => status === 'error')).toEqual([])
    await admin.run('alter role parlance_agents bypassrls')
    expectFinding(await checkPostgres(contextOf(postgres.url)), 'error', /^The role parlance_agents is BYPASSRLS/)
  })

  test('a server that cannot be reached is an error without the password', async () => {
    const findings = await checkPostgres(contextOf(`postgres://ada:hunter2@127.0.0.1:${await freePort()}/parlance`))
    expectFinding(findings, 'error', /^No connection to postgres:\/\/127\.0\.0\.1:\d+\/parlance: .*ECONNREFUSED/)
    expect(JSON.stringify(findings)).not.toContain('hunter2')
  })
})
