import { randomUUID } from 'node:crypto'
import type { Agent } from '@parlance/contracts'
import type { Database } from '@parlance/store'
import { describeWithPrograms, weakenDatabases } from '@parlance/testing'
import { type AgentsClient, config, type Installation, startInstallation } from './installation.js'

const weakened = weakenDatabases()

describeWithPrograms(['postgres'], 'two workspaces', () => {
  const suite = (wrap: (database: Database) => Database): void => {
    const [here, there] = [randomUUID(), randomUUID()]
    let installation: Installation
    let client: AgentsClient
    let mine: Agent
    let theirs: Agent

    const create = async (workspace_id: string, slug: string) => {
      const { id: agent_id } = await client.createAgent({ workspace_id, config: config({ slug }) })
      await client.publishAgent({ workspace_id, agent_id })
      return client.updateAgent({ workspace_id, agent_id, patch: { description: `of ${workspace_id}` } })
    }

    beforeAll(async () => {
      installation = await startInstallation({ wrap })
      client = installation.client
      // The same slug in both, because slugs are unique only within a workspace.
      mine = await create(here, 'front-desk')
      theirs = await create(there, 'front-desk')
    })
    afterAll(() => installation.stop())

    const everything = () =>
      installation.database.acrossWorkspaces(async (transaction) => {
        const rowsOf = (table: string) =>
          transaction.query(`select * from ${table} where workspace_id = $1 order by id`, [there])
        return [await rowsOf('agents'), await rowsOf('revisions'), await rowsOf('publications')]
      })

    test('an Agent of another workspace does not exist for any method, and is not changed', async () => {
      const before = await everything()
      for (const agent_id of [theirs.id, randomUUID()]) {
        const address = { workspace_id: here, agent_id }
        for (const attempt of [
          () => client.getAgent(address),
          () => client.updateAgent({ ...address, patch: { description: 'taken over' } }),
          () => client.updateAgent({ ...address, expected_version: 1, patch: {} }),
          () => client.deleteAgent(address),
          () => client.deleteAgent({ ...address, expected_version: 1 }),
          () => client.publishAgent(address),
          () => client.publishAgent({ ...address, revision_id: theirs.draft_revision.id }),
          () => client.publishAgent({ ...address, revision_id: mine.draft_revision.id }),
          () => client.checkPublish(address),
          () => client.listRevisions(address),
          () => client.listPublications(address),
          () => client.getPublished(address),
        ]) {
          const refusal = await attempt().catch((error) => error)
          expect(refusal).toMatchObject({ code: 'agent_not_found', detail: 'There is no such Agent.' })
        }
      }
      expect(await everything()).toEqual(before)
    })

    test('a revision of the other cannot be published as one of mine', async () => {
      const address = { workspace_id: here, agent_id: mine.id, revision_id: theirs.draft_revision.id }
      await expect(client.publishAgent(address)).rejects.toMatchObject({ code: 'not_found' })
      await expect(client.checkPublish(address)).rejects.toMatchObject({ code: 'not_found' })
    })

    test('a list shows no Agent of another workspace, whatever its filters', async () => {
      await create(there, 'only-theirs')
      const { next_cursor } = await client.listAgents({ workspace_id: there, order: 'asc', limit: 1 })
      for (const filter of [
        {},
        { slug: 'front-desk' },
        { state: 'published' as const },
        { q: 'of ' },
        { order: 'asc' as const },
        { limit: 1 },
      ]) {
        const { agents, next_cursor } = await client.listAgents({ workspace_id: here, ...filter })
        expect(agents.map(({ id }) => id)).toEqual([mine.id])
        expect(next_cursor).toBeNull()
      }
      expect((await client.listAgents({ workspace_id: here, slug: 'only-theirs' })).agents).toEqual([])
      expect((await client.listAgents({ workspace_id: here, q: there })).agents).toEqual([])
      const { agents } = await client.listAgents({ workspace_id: here, order: 'desc', cursor: next_cursor! })
      for (const { id } of agents) expect(id).toBe(mine.id)
    })

    test('changes are visible only in their own workspace', async () => {
      const before = await everything()
      const address = { workspace_id: here, agent_id: mine.id }
      await client.updateAgent({ ...address, patch: { slug: 'renamed' } })
      await client.publishAgent(address)
      expect((await client.listRevisions(address)).revisions).toHaveLength(3)
      expect((await client.listPublications(address)).publications).toHaveLength(2)
      await client.deleteAgent(address)
      expect(await everything()).toEqual(before)
      expect((await client.getPublished({ workspace_id: there, agent_id: theirs.id })).publication.version).toBe(1)
    })
  }

  describe('are kept apart', () => suite((database) => database))

  describe('are isolated by row-level security alone', () => {
    suite(weakened.byRowsAlone)
    afterAll(() => expect(weakened.rewritten()).toBeGreaterThan(20))
  })

  describe('are isolated by the filters of the queries alone', () => suite(weakened.byFiltersAlone))

  test('would not be kept apart without both protections, which shows that the suites above test them', async () => {
    const installation = await startInstallation({ wrap: weakened.byNeither })
    const [here, there] = [randomUUID(), randomUUID()]
    const { id } = await installation.client.createAgent({ workspace_id: there, config: config() })
    expect(await installation.client.getAgent({ workspace_id: here, agent_id: id })).toMatchObject({ id })
    await installation.stop()
  })

  test('are not visible outside of a workspace', async () => {
    const installation = await startInstallation()
    const workspace_id = randomUUID()
    const { id: agent_id } = await installation.client.createAgent({ workspace_id, config: config() })
    await installation.client.publishAgent({ workspace_id, agent_id })
    for (const table of ['agents', 'revisions', 'publications']) {
      expect(await installation.database.query(`select * from ${table}`)).toEqual([])
      await expect(
        installation.database.inWorkspace(randomUUID(), (transaction) =>
          transaction.query(`select * from ${table} where workspace_id = $1`, [workspace_id]),
        ),
      ).resolves.toEqual([])
    }
    await expect(
      installation.database.inWorkspace(randomUUID(), (transaction) =>
        transaction.query(`insert into agents (workspace_id, slug, search_text) values ($1, 'a', 'a')`, [workspace_id]),
      ),
    ).rejects.toThrow('row-level security')
    await installation.stop()
  })
})
