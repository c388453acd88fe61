import { randomUUID } from 'node:crypto'
import { describeWithPrograms } from '@parlance/testing'
import { config, type Installation, startInstallation } from './installation.js'

describeWithPrograms(['postgres'], 'revisions and publications', () => {
  const workspace_id = randomUUID()
  let installation: Installation
  let agent_id: string

  beforeAll(async () => {
    installation = await startInstallation()
    agent_id = (await installation.client.createAgent({ workspace_id, config: config() })).id
    await installation.client.publishAgent({ workspace_id, agent_id })
  })
  afterAll(() => installation.stop())

  const rows = () =>
    installation.database.acrossWorkspaces(async (transaction) => [
      await transaction.query('select * from revisions'),
      await transaction.query('select * from publications'),
    ])

  test.each([
    'update revisions set config_bytes = 1',
    'update revisions set created_at = now() where version = 1',
    'delete from revisions',
    'delete from revisions where false',
    'update publications set version = 2',
    'update publications set memory_enabled = true where false',
    'delete from publications',
    'insert into publications select * from publications on conflict (workspace_id, agent_id, version) do update set version = 7',
    'with gone as (delete from publications returning id) select * from gone',
  ])('do not change by "%s", under any role', async (sql) => {
    const before = await rows()
    const { database, asSuperuser } = installation
    const refused = /are never changed or removed/
    await expect(database.inWorkspace(workspace_id, (transaction) => transaction.query(sql))).rejects.toThrow(refused)
    await expect(database.acrossWorkspaces((transaction) => transaction.query(sql))).rejects.toThrow(refused)
    await expect(database.query(sql)).rejects.toThrow(refused)
    await expect(asSuperuser(sql)).rejects.toThrow(refused)
    expect(await rows()).toEqual(before)
  })

  test.each(['truncate publications', 'truncate revisions cascade', 'truncate agents cascade'])(
    'are not removed by "%s", under any role',
    async (sql) => {
      const before = await rows()
      await expect(installation.database.query(sql)).rejects.toThrow('permission denied')
      await expect(installation.asSuperuser(sql)).rejects.toThrow(/are never changed or removed/)
      expect(await rows()).toEqual(before)
    },
  )

  test('do not change even when the service owns the tables', async () => {
    const { asSuperuser } = installation
    await asSuperuser('create role owner_of_tables; grant usage on schema agents to owner_of_tables')
    await asSuperuser('alter table revisions owner to owner_of_tables')
    await expect(asSuperuser('set role owner_of_tables; delete from revisions')).rejects.toThrow(/never changed/)
  })

  test('must belong to an existing revision of the same Agent and workspace', async () => {
    const { asSuperuser } = installation
    const stranger = randomUUID()
    for (const [workspace, agent] of [
      [stranger, agent_id],
      [workspace_id, stranger],
    ]) {
      await expect(
        asSuperuser(
          `insert into revisions (workspace_id, agent_id, version, config, config_bytes)
           values ('${workspace}', '${agent}', 2, '{}', 2)`,
        ),
      ).rejects.toThrow('foreign key')
    }
    await expect(
      asSuperuser(
        `insert into publications
           (workspace_id, agent_id, version, revision_id, memory_enabled, calendar_enabled, api_ready)
         values ('${workspace_id}', '${agent_id}', 2, '${stranger}', false, false, false)`,
      ),
    ).rejects.toThrow('foreign key')
  })

  test('outlive their Agent', async () => {
    const before = await rows()
    await installation.client.deleteAgent({ workspace_id, agent_id })
    expect(await rows()).toEqual(before)
  })
})
