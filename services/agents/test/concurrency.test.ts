import { randomUUID } from 'node:crypto'
import { describeWithPrograms } from '@parlance/testing'
import { type AgentsClient, config, type Installation, startInstallation } from './installation.js'

describeWithPrograms(['postgres'], 'at the same time', () => {
  const workspace_id = randomUUID()
  let installation: Installation
  let client: AgentsClient

  beforeAll(async () => {
    installation = await startInstallation()
    client = installation.client
  })
  afterAll(() => installation.stop())

  const create = async (fields: object = {}) => {
    const { id } = await client.createAgent({ workspace_id, config: config(fields) })
    return { workspace_id, agent_id: id }
  }
  const versionsFrom1 = (count: number) => Array.from({ length: count }, (_, n) => n + 1)
  const settled = async <T>(attempts: Promise<T>[]) => {
    const results = await Promise.allSettled(attempts)
    return results.map((result) => (result.status === 'fulfilled' ? 'done' : result.reason.code))
  }

  test('twenty PATCHes make twenty versions, and none is lost', async () => {
    const address = await create()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        client.updateAgent({ ...address, patch: { metadata: { [`key_${n}`]: n } } }),
      ),
    )
    const versions = answers.map(({ draft_revision }) => draft_revision.version)
    expect(versions.toSorted((a, b) => a - b)).toEqual(versionsFrom1(21).slice(1))
    const agent = await client.getAgent(address)
    expect(agent.draft_revision.version).toBe(21)
    expect(Object.keys(agent.metadata)).toHaveLength(20)
    const { revisions } = await client.listRevisions({ ...address, order: 'asc' })
    expect(revisions.map(({ version }) => version)).toEqual(versionsFrom1(21))
    expect(revisions.map(({ config }) => Object.keys(config.metadata).length)).toEqual(
      versionsFrom1(21).map((n) => n - 1),
    )
  })

  test('of twenty PATCHes that expect one version one succeeds', async () => {
    const address = await create()
    const outcomes = await settled(
      Array.from({ length: 20 }, (_, n) =>
        client.updateAgent({ ...address, expected_version: 1, patch: { description: `${n}` } }),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'revision_conflict')).toHaveLength(19)
  })

  test('twenty publishes of one draft make one publication', async () => {
    const address = await create()
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.publishAgent(address)))
    expect(answers.filter(({ created }) => created)).toHaveLength(1)
    expect(new Set(answers.map(({ publication }) => publication.id)).size).toBe(1)
    expect((await client.listPublications(address)).publications).toHaveLength(1)
  })

  test('publishes and PATCHes make publications without a gap, and the last publish sees the last PATCH', async () => {
    const address = await create()
    await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const { draft_revision } = await client.updateAgent({ ...address, patch: { description: `${n}` } })
        const { publication } = await client.publishAgent(address)
        expect(publication.revision.version).toBeGreaterThanOrEqual(draft_revision.version)
      }),
    )
    const { publications } = await client.listPublications({ ...address, order: 'asc' })
    expect(publications.map(({ version }) => version)).toEqual(versionsFrom1(publications.length))
    const revisions = publications.map(({ revision }) => revision.version)
    expect(revisions).toEqual(revisions.toSorted((a, b) => a - b))
    expect(await client.getAgent(address)).toMatchObject({
      draft_revision: { version: 21 },
      active_publication: { version: publications.length, revision: { version: 21 } },
    })
  })

  test('of twenty concurrent requests for a slug one succeeds, by creation or by PATCH', async () => {
    const others = await Promise.all(Array.from({ length: 10 }, () => create()))
    const outcomes = await settled<unknown>([
      ...others.map((address) => client.updateAgent({ ...address, patch: { slug: 'contested' } })),
      ...others.map(() => create({ slug: 'contested' })),
    ])
    expect(outcomes.toSorted()).toEqual(['done', ...Array(19).fill('slug_taken')])
    expect((await client.listAgents({ workspace_id, slug: 'contested' })).agents).toHaveLength(1)
  })

  test('two Agents that swap slugs find them taken, in any order of their statements', async () => {
    const [a, b] = [await create({ slug: 'slug-a' }), await create({ slug: 'slug-b' })]
    for (let round = 0; round < 300; round++) {
      const outcomes = await settled([
        client.updateAgent({ ...a, patch: { slug: 'slug-b' } }),
        client.updateAgent({ ...b, patch: { slug: 'slug-a' } }),
      ])
      expect(outcomes).toEqual(['slug_taken', 'slug_taken'])
    }
  })

  test('an Agent is deleted once, and nothing changes it afterwards', async () => {
    const address = await create()
    const deletions = await settled(Array.from({ length: 10 }, () => client.deleteAgent(address)))
    expect(deletions.toSorted()).toEqual([...Array(9).fill('agent_not_found'), 'done'])

    const contested = await create()
    const outcomes = await settled<unknown>([
      ...Array.from({ length: 5 }, (_, n) => client.updateAgent({ ...contested, patch: { description: `${n}` } })),
      client.deleteAgent(contested),
      ...Array.from({ length: 5 }, () => client.publishAgent(contested)),
    ])
    expect(new Set([...outcomes, 'done', 'agent_not_found'])).toEqual(new Set(['done', 'agent_not_found']))
    await expect(client.getPublished(contested)).rejects.toMatchObject({ code: 'agent_not_found' })
  })
})
