import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@parlance/bus'
import { createKeyAuthenticator, parsePeppers } from '@parlance/clients/api-key'
import { createCreditReserver, parseCredit } from '@parlance/clients/credit'
import { agentConfigSchema, agentsContract, authContract, creditContract } from '@parlance/contracts'
import { type Running, type Service, startServices } from '@parlance/runtime'
import { agents } from '@parlance/service-agents'
import { auth } from '@parlance/service-auth'
import { services as allServices } from '@parlance/service-standalone'
import { tokens } from '@parlance/service-tokens'
import { migratePostgres, openPostgresDatabase } from '@parlance/store'
import { createLogger } from '@parlance/telemetry'
import { describeWithPrograms, findPostgresFolder, startPostgresServer, type TestServer } from '@parlance/testing'
import { testedCommands } from './documents.js'

const [dump, createDatabase, restore] = testedCommands('docs/backup.md')
const pepper = '1:a-pepper-for-tests-only'
const logger = createLogger({ level: 'error' })
const services = [auth, agents, tokens] as Service[]
const databases = allServices.flatMap((service) => service.databases ?? [])

/** The database of an owner without further rights, on a server of `startPostgresServer`. */
const ownedDatabase = (server: TestServer): string =>
  server.url.replace('postgres@', 'parlance:PASSWORD@').replace(/postgres$/, 'parlance')

/** Services on a database, with an empty store in place of Redis. */
const openInstallation = async (url: string) => {
  const { platform, stop }: Running = await startServices(services, {
    environment: { DATABASE_URL: url, API_KEY_PEPPERS: pepper, CREDIT_SETTLE_INTERVAL_MS: '0', LOG_LEVEL: 'error' },
    logger,
  })
  const { bus, ttl } = platform
  const clients = {
    agents: createClient(bus, agentsContract),
    auth: createClient(bus, authContract),
    credit: createClient(bus, creditContract),
  }
  return {
    ...clients,
    reserver: createCreditReserver({ ttl, credit: clients.credit, logger }),
    authenticate: createKeyAuthenticator({
      ttl,
      auth: clients.auth,
      peppers: parsePeppers(pepper),
      environment: 'prd',
    }),
    stop,
  }
}

describeWithPrograms(['postgres'], 'a backup', () => {
  let folder: string
  let servers: readonly [TestServer, TestServer]

  const run = async (commands: string | undefined, environment: Readonly<Record<string, string>>) => {
    const path = [findPostgresFolder(), process.env.PATH].join(delimiter)
    await promisify(execFile)('sh', ['-euc', commands ?? 'exit 1'], {
      cwd: folder,
      env: { PATH: path, ...environment },
    })
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-backup-'))
    servers = await Promise.all([startPostgresServer(), startPostgresServer()])
    await Promise.all(servers.map(({ url }) => run(createDatabase, { ADMIN_URL: url })))
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    await rm(folder, { recursive: true })
  })

  /** Creates two workspaces with all that a backup must bring back. Half a credit of the first is spent. */
  const fill = async (url: string) => {
    const { agents, auth, credit, reserver, stop } = await openInstallation(url)
    const create = async (name: string) => {
      const { id: workspace_id } = await auth.createWorkspace({ name, capabilities: ['agents'] })
      const { key, id: keyId } = await auth.createKey({ workspace_id, label: 'First' })
      await credit.grant({ workspace_id, amount: '12.5', reference: 'invoice-17' })
      const config = agentConfigSchema.parse({
        slug: 'front-desk',
        display_name: name,
        voice_id: '0'.repeat(32),
        llm_provider: 'builtin',
        llm_model: 'rules',
      })
      const agent = await agents.createAgent({ workspace_id, config })
      return { workspace_id, key, keyId, agent }
    }
    const workspaces = [await create('Acme'), await create('Other')] as const
    const [{ workspace_id: workspaceId, keyId: key_id }] = workspaces
    const reservation = await reserver.reserve({ workspaceId, amountNano: parseCredit('0.75') })
    reservation.settle(parseCredit('0.5'), { kind: 'tts', key_id, agent_id: null, quantities: { tts_characters: 9 } })
    await reserver.stop()
    return { workspaces, stop }
  }

  /** The tables of all services with what row-level security does to them. */
  const protectionOf = async (url: string) => {
    const [schema] = databases
    const database = await openPostgresDatabase({ url, ...schema! })
    const tables = await database.query<{ name: string; enabled: boolean; forced: boolean; policies: string }>(
      `select format('%s.%s', relnamespace::regnamespace, relname) as name, relrowsecurity as enabled,
         relforcerowsecurity as forced,
         (select string_agg(pg_get_expr(polqual, polrelid), ';') from pg_policy where polrelid = pg_class.oid) as policies
       from pg_class where relkind = 'r' and relnamespace::regnamespace::text = any ($1) order by 1`,
      [databases.map(({ schema }) => schema)],
    )
    await database.close()
    return tables
  }

  test.each([
    ['an owner without further rights', ownedDatabase],
    ['a superuser', ({ url }: TestServer) => url],
  ])('of %s brings back keys, Agents and credit exactly, and workspaces stay apart', async (_, urlOf) => {
    const [from, to] = [urlOf(servers[0]), urlOf(servers[1])]
    for (const database of databases) await migratePostgres({ url: from, ...database })
    const { workspaces, stop } = await fill(from)
    // While the services run: a lease of credit is open.
    await run(dump, { DATABASE_URL: from })
    await stop()
    await run(restore, { DATABASE_URL: to })

    const restored = await openInstallation(to)
    try {
      for (const [index, { workspace_id, key, agent }] of workspaces.entries()) {
        expect(await restored.authenticate(`Bearer ${key}`)).toMatchObject({ workspace_id })
        expect(await restored.agents.getAgent({ workspace_id, agent_id: agent.id })).toEqual(agent)
        const balance = index === 0 ? '12.00' : '12.50'
        expect(await restored.credit.getBalance({ workspace_id })).toMatchObject({ balance, reserved: '0.00' })
        const again = await restored.credit.grant({ workspace_id, amount: '12.5', reference: 'invoice-17' })
        expect(again).toMatchObject({ balance, replayed: true })
      }
      const { workspaces: reconciled } = await restored.credit.reconcile({})
      expect(reconciled.map(({ ledger_difference }) => ledger_difference)).toEqual(['0.00', '0.00'])
    } finally {
      await restored.stop()
    }

    expect(await protectionOf(to)).toEqual(await protectionOf(from))
    const [{ schema, migrations }] = agents.databases as [(typeof databases)[number]]
    const database = await openPostgresDatabase({ url: to, schema, migrations })
    const [one] = workspaces
    const slugs = (transaction: Pick<typeof database, 'query'>) => transaction.query('select id from agents')
    expect(await slugs(database)).toEqual([])
    expect(await database.inWorkspace(one.workspace_id, slugs)).toEqual([{ id: one.agent.id }])
    await database.close()
  })

  test('of an owner that does not ask for the rows of all workspaces ends with an error', async () => {
    const url = ownedDatabase(servers[0])
    await expect(run(`pg_dump --format=custom --file=none.dump "${url}"`, {})).rejects.toThrow(/row-level security/)
  })
})
