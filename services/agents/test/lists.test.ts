import { randomUUID } from 'node:crypto'
import { describeWithPrograms } from '@parlance/testing'
import { type AgentsClient, config, type Installation, startInstallation } from './installation.js'

describeWithPrograms(['postgres'], 'lists', () => {
  let installation: Installation
  let client: AgentsClient
  let workspace_id: string

  beforeAll(async () => {
    installation = await startInstallation()
    client = installation.client
  })
  afterAll(() => installation.stop())
  beforeEach(() => {
    workspace_id = randomUUID()
  })

  const create = async (fields: object = {}) => (await client.createAgent({ workspace_id, config: config(fields) })).id
  const createMany = async (count: number) => {
    const ids: string[] = []
    for (let n = 0; n < count; n++) ids.push(await create())
    return ids
  }
  const list = async (filter: object = {}) => {
    const { agents, next_cursor } = await client.listAgents({ workspace_id, ...filter })
    return { ids: agents.map(({ id }) => id), next_cursor }
  }
  /** All pages, and what happens between two of them. */
  const walk = async (filter: object, between: () => Promise<unknown> = async () => {}) => {
    const seen: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await list({ ...filter, ...(cursor && { cursor }) })
      seen.push(...page.ids)
      cursor = page.next_cursor
      await between()
    }
    return seen
  }

  test.each([1, 2, 3, 7, 100])('pages of %i show every Agent once, in either order', async (limit) => {
    const ids = await createMany(7)
    expect(await walk({ limit, order: 'asc' })).toEqual(ids)
    expect(await walk({ limit, order: 'desc' })).toEqual(ids.toReversed())
    expect(await walk({ limit })).toEqual(ids.toReversed())
  })

  test('the last page has no next_cursor, also when it is full or empty', async () => {
    expect(await list()).toEqual({ ids: [], next_cursor: null })
    await createMany(4)
    const first = await list({ limit: 2 })
    expect(first.next_cursor).not.toBeNull()
    expect((await list({ limit: 2, cursor: first.next_cursor })).next_cursor).toBeNull()
  })

  test('Agents that are created or deleted between two pages neither repeat nor hide others', async () => {
    const ids = await createMany(6)
    const doomed = ids.pop()!
    let isFirst = true
    const seen = await walk({ limit: 2, order: 'desc' }, async () => {
      await create()
      // The first page ends with the Agent before, so the cursor refers to an Agent that no longer exists.
      if (isFirst) await client.deleteAgent({ workspace_id, agent_id: ids.at(-1)! })
      isFirst = false
    })
    expect(seen).toEqual([doomed, ...ids.toReversed()])

    const known = new Set([...ids, doomed, ...seen])
    const fresh = await create()
    const ascending = await walk({ limit: 3, order: 'asc' })
    expect(new Set(ascending).size).toBe(ascending.length)
    expect(ascending.at(-1)).toBe(fresh)
    expect(known.has(fresh)).toBe(false)
  })

  test('a page of very large Agents is shorter than its limit, and the next pages have the rest', async () => {
    const ids: string[] = []
    const tools = Array.from({ length: 14 }, (_, n) => ({
      type: 'client',
      name: `tool_${n}`,
      parameters: { description: 'x'.repeat(16_000) },
    }))
    for (let n = 0; n < 3; n++) ids.push(await create({ tools }))
    expect((await list({ order: 'asc' })).ids).toEqual(ids.slice(0, 1))
    expect(await walk({ order: 'asc' })).toEqual(ids)

    const agent_id = ids[0]!
    for (let n = 0; n < 2; n++) await client.updateAgent({ workspace_id, agent_id, patch: { description: `${n}` } })
    const first = await client.listRevisions({ workspace_id, agent_id })
    expect(first.revisions.map(({ version }) => version)).toEqual([3])
    const second = await client.listRevisions({ workspace_id, agent_id, cursor: first.next_cursor! })
    expect(second.revisions.map(({ version }) => version)).toEqual([2])
  })

  test('an invalid cursor is refused', async () => {
    const agent_id = await create()
    await client.updateAgent({ workspace_id, agent_id, patch: { description: 'new' } })
    await client.publishAgent({ workspace_id, agent_id })
    const encode = (place: unknown) => Buffer.from(JSON.stringify(place)).toString('base64url')
    const { next_cursor: ofRevisions } = await client.listRevisions({ workspace_id, agent_id, limit: 1 })
    const refused = { code: 'invalid_request', detail: expect.stringMatching(/^cursor: /) }
    for (const cursor of [
      'x',
      '%00',
      ofRevisions!,
      encode([]),
      encode([1, 'x']),
      encode([-1, agent_id]),
      encode([2 ** 60, agent_id]),
      encode([1.5, agent_id]),
      encode(`0000-00-00`),
    ]) {
      await expect(list({ cursor })).rejects.toMatchObject(refused)
    }
    for (const cursor of ['x', encode([1, agent_id]), encode('1'), encode(2 ** 31), encode(1.5)]) {
      await expect(client.listRevisions({ workspace_id, agent_id, cursor })).rejects.toMatchObject(refused)
      await expect(client.listPublications({ workspace_id, agent_id, cursor })).rejects.toMatchObject(refused)
    }
    expect((await list({ cursor: encode([Number.MAX_SAFE_INTEGER, agent_id]) })).ids).toEqual([agent_id])
  })

  test('a slug finds only its Agent', async () => {
    const id = await create({ slug: 'wanted' })
    await create({ slug: 'wanted-too' })
    expect((await list({ slug: 'wanted' })).ids).toEqual([id])
    expect((await list({ slug: 'want%' })).ids).toEqual([])
    await client.updateAgent({ workspace_id, agent_id: id, patch: { slug: 'renamed' } })
    expect((await list({ slug: 'wanted' })).ids).toEqual([])
    expect((await list({ slug: 'renamed' })).ids).toEqual([id])
  })

  test('state filters drafts and published Agents', async () => {
    const [draft, published] = [await create(), await create()]
    await client.publishAgent({ workspace_id, agent_id: published })
    await client.updateAgent({ workspace_id, agent_id: published, patch: { description: 'edited' } })
    expect((await list({ state: 'draft' })).ids).toEqual([draft])
    expect((await list({ state: 'published' })).ids).toEqual([published])
  })

  test('q is found literally in slug, name and description, in any case', async () => {
    const bySlug = await create({ slug: 'the-needle-here' })
    const byName = await create({ display_name: 'Die Große NADEL von Ärzte' })
    const byDescription = await create({ description: '100% of_a\\needle' })
    const find = async (q: string) => (await list({ q, order: 'asc' })).ids
    expect(await find('NEEDLE')).toEqual([bySlug, byDescription])
    expect(await find('nadel')).toEqual([byName])
    expect(await find('GROSSE')).toEqual([byName])
    expect(await find('a\u0308RZTE')).toEqual([byName])
    expect(await find('0% OF_A\\N')).toEqual([byDescription])
    expect(await find('%')).toEqual([byDescription])
    expect(await find('_')).toEqual([byDescription])
    expect(await find('\\')).toEqual([byDescription])
    expect(await find("' or true --")).toEqual([])
    expect(await find('')).toEqual([bySlug, byName, byDescription])
    await client.updateAgent({ workspace_id, agent_id: bySlug, patch: { slug: 'no-more' } })
    expect(await find('needle')).toEqual([byDescription])
    for (const filter of [{ q: 'a\0' }, { slug: '\0' }]) {
      await expect(list(filter)).rejects.toMatchObject({ code: 'invalid_request' })
    }
  })

  test('filters and cursor work together', async () => {
    const wanted: string[] = []
    for (let n = 0; n < 9; n++) {
      const id = await create({ description: n % 3 === 0 ? 'other' : 'wanted' })
      if (n % 3 !== 0) wanted.push(id)
    }
    expect(await walk({ q: 'wanted', state: 'draft', limit: 2, order: 'asc' })).toEqual(wanted)
  })

  test('revisions and publications are listed by version, and keep what they were', async () => {
    const agent_id = await create({ description: 'first' })
    await client.publishAgent({ workspace_id, agent_id })
    await client.updateAgent({ workspace_id, agent_id, patch: { description: 'second', memory_enabled: true } })
    await client.publishAgent({ workspace_id, agent_id })
    await client.updateAgent({ workspace_id, agent_id, patch: { description: 'third' } })

    const { revisions, next_cursor } = await client.listRevisions({ workspace_id, agent_id })
    expect(revisions.map(({ version, config }) => [version, config.description])).toEqual([
      [3, 'third'],
      [2, 'second'],
      [1, 'first'],
    ])
    expect(next_cursor).toBeNull()
    const { publications } = await client.listPublications({ workspace_id, agent_id, order: 'asc' })
    expect(publications).toMatchObject([
      { version: 1, revision: { id: revisions[2]!.id, version: 1 }, memory_enabled: false, calendar_enabled: false },
      { version: 2, revision: { id: revisions[1]!.id, version: 2 }, memory_enabled: true, calendar_enabled: false },
    ])

    const page = await client.listRevisions({ workspace_id, agent_id, limit: 2, order: 'asc' })
    expect(page.revisions.map(({ version }) => version)).toEqual([1, 2])
    const rest = await client.listRevisions({
      workspace_id,
      agent_id,
      limit: 2,
      order: 'asc',
      cursor: page.next_cursor!,
    })
    expect(rest.revisions.map(({ version }) => version)).toEqual([3])
    const newest = await client.listPublications({ workspace_id, agent_id, limit: 1 })
    const older = await client.listPublications({ workspace_id, agent_id, limit: 1, cursor: newest.next_cursor! })
    expect([newest, older].map(({ publications: [{ version } = {}] }) => version)).toEqual([2, 1])
    expect(older.next_cursor).toBeNull()
  })
})
