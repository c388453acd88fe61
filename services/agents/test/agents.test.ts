import { randomUUID } from 'node:crypto'
import type { Agent } from '@parlance/contracts'
import { describeWithPrograms } from '@parlance/testing'
import { type AgentsClient, ada, config, type Installation, startInstallation } from './installation.js'

describeWithPrograms(['postgres'], 'an Agent', () => {
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

  const create = (fields: object = {}): Promise<Agent> => client.createAgent({ workspace_id, config: config(fields) })
  const patch = ({ id }: Agent, patch: Record<string, unknown>, expected_version: number | null = null) =>
    // biome-ignore lint/suspicious/noExplicitAny: what is sent may be wrong on purpose
    client.updateAgent({ workspace_id, agent_id: id, expected_version, patch: patch as any })
  const read = ({ id }: Agent) => client.getAgent({ workspace_id, agent_id: id })
  const remove = ({ id }: Agent, expected_version: number | null = null) =>
    client.deleteAgent({ workspace_id, agent_id: id, expected_version })

  test('is not changed to a minimum pause above the maximum, whichever of the two is sent', async () => {
    const agent = await create({ turn_config: { endpointing_min_ms: 700, endpointing_max_ms: 800 } })
    for (const turn_config of [{ endpointing_min_ms: 801 }, { endpointing_max_ms: 699 }]) {
      await expect(patch(agent, { turn_config })).rejects.toMatchObject({
        code: 'invalid_request',
        detail: expect.stringContaining('turn_config.endpointing_min_ms'),
      })
    }
    const { turn_config } = await patch(agent, { turn_config: { endpointing_min_ms: 800 } })
    expect(turn_config).toMatchObject({ endpointing_min_ms: 800, endpointing_max_ms: 800 })
  })

  test('that was stored before some fields existed has their defaults, and an equal change makes no revision', async () => {
    const agent = await create()
    await installation.database.inWorkspace(workspace_id, async (transaction) => {
      await transaction.query(
        `insert into revisions (workspace_id, agent_id, version, config, config_bytes)
         select workspace_id, agent_id, 2, (config::jsonb - 'audio_config' - 'knowledge_files')::json, config_bytes
         from revisions where workspace_id = $1 and agent_id = $2`,
        [workspace_id, agent.id],
      )
      await transaction.query('update agents set draft_version = 2 where workspace_id = $1 and id = $2', [
        workspace_id,
        agent.id,
      ])
    })
    const listed = JSON.parse(Buffer.from(await client.raw.listAgents({ workspace_id })).toString())
    const expected = { audio_config: { noise_suppression: true }, knowledge_files: [], draft_revision: { version: 2 } }
    expect(listed.agents).toMatchObject([expected])
    expect(await patch(agent, { display_name: agent.display_name })).toMatchObject(expected)
    expect(await client.checkPublish({ workspace_id, agent_id: agent.id })).toMatchObject({ publishable: true })
  })

  test('is not created or changed with a webhook tool whose name leads to a private address', async () => {
    const tools = (url: string) => [{ type: 'webhook', name: 'look_up', url }]
    const refused = { code: 'invalid_request', detail: expect.stringMatching(/^tools\.0\.url: .*public Internet/) }
    await expect(create({ tools: tools('https://localhost/') })).rejects.toMatchObject(refused)
    const agent = await create({ tools: tools('https://tools.example.invalid/') })
    await expect(patch(agent, { tools: tools('http://a.localhost:8080/') })).rejects.toMatchObject(refused)
    await expect(patch(agent, { tools: tools('http://10.0.0.1/') })).rejects.toMatchObject(refused)
  })

  test('is read as it was created, a draft with every field that was left out at its default', async () => {
    const agent = await create({ slug: 'front-desk' })
    expect(agent).toEqual({
      id: expect.any(String),
      slug: 'front-desk',
      display_name: 'Front desk',
      description: '',
      avatar_id: null,
      voice_id: ada.id,
      voice_config: { tts_variant: null, language: null, speed: 1, volume: 1 },
      system_prompt: '',
      first_message: null,
      first_message_interruptible: true,
      llm_provider: 'builtin',
      llm_model: 'rules',
      llm_config: { temperature: 0.7, max_output_tokens: 512, timeout_ms: 8000 },
      stt_config: { language: 'en' },
      audio_config: { noise_suppression: true },
      turn_config: {
        endpointing_min_ms: 300,
        endpointing_max_ms: 3000,
        interruptions_enabled: true,
        interruption_min_ms: 200,
        false_interruption_timeout_ms: 2000,
        preemptive: true,
      },
      session_config: {
        max_duration_seconds: 600,
        overrides: [],
        public: { enabled: false, origins: [], per_address_per_hour: 20, daily_credit: null },
        silence_timeout_seconds: 60,
        max_concurrent_sessions: null,
        allowed_origins: [],
        store_transcript: true,
      },
      tools: [],
      knowledge_files: [],
      web_search_enabled: false,
      memory_enabled: false,
      calendar_enabled: false,
      metadata: {},
      state: 'draft',
      api_ready: false,
      draft_revision: { id: expect.any(String), version: 1 },
      active_publication: null,
      created_at: agent.updated_at,
      updated_at: agent.created_at,
    })
    expect(await read(agent)).toEqual(agent)
  })

  test('a configuration is returned unchanged to the character, with any JSON in it', async () => {
    const metadata = { zero: 'a\0b', half: '\ud800', b: 1, a: [1e-7, null, { '': true }], long: 'ä'.repeat(5000) }
    const system_prompt = 'Grüß „Gott“ 👋🏽\r\n\t\\u0000'
    const agent = await create({ metadata, system_prompt })
    expect(await read(agent)).toMatchObject({ metadata, system_prompt })
    expect(Object.keys((await read(agent)).metadata)).toEqual(Object.keys(metadata))
  })

  test('PATCH replaces fields and arrays, merges config objects one level deep, and null clears', async () => {
    const agent = await create({
      description: 'old',
      voice_config: { tts_variant: 'standard', speed: 1.5 },
      session_config: { allowed_origins: ['https://a.example.com', 'https://b.example.com'] },
      metadata: { kept: 1, replaced: { deep: 1 }, cleared: 1 },
    })
    const patched = await patch(agent, {
      display_name: 'New',
      description: null,
      voice_config: { speed: null, volume: 0.5 },
      session_config: { allowed_origins: ['https://c.example.com'] },
      metadata: { replaced: { other: 1 }, cleared: null },
    })
    expect(patched).toEqual({
      ...agent,
      display_name: 'New',
      description: '',
      voice_config: { tts_variant: 'standard', language: null, speed: 1, volume: 0.5 },
      session_config: { ...agent.session_config, allowed_origins: ['https://c.example.com'] },
      metadata: { kept: 1, replaced: { other: 1 } },
      draft_revision: { id: expect.any(String), version: 2 },
      updated_at: expect.any(String),
    })
    expect(patched.draft_revision.id).not.toBe(agent.draft_revision.id)
    expect(patched.updated_at >= agent.updated_at).toBe(true)
    expect(await read(agent)).toEqual(patched)
  })

  test('a PATCH that changes nothing makes no revision', async () => {
    const agent = await create({ metadata: { a: 1, b: { c: 2 } } })
    for (const nothing of [
      {},
      { display_name: agent.display_name, description: null },
      { voice_config: {}, llm_config: { temperature: null } },
      { metadata: { b: { c: 2 }, a: 1, none: null } },
      { tools: [] },
    ]) {
      expect(await patch(agent, nothing)).toEqual(agent)
    }
    const { revisions } = await client.listRevisions({ workspace_id, agent_id: agent.id })
    expect(revisions).toHaveLength(1)
  })

  test.each([
    ['an unknown field', { color: 'red' }, 'color'],
    ['an unknown field of a config object', { voice_config: { pitch: 1 } }, 'voice_config.pitch'],
    ['a field of the wrong type', { voice_config: { speed: 'fast' } }, 'voice_config.speed'],
    ['a config object that is not an object', { llm_config: 'hot' }, 'llm_config'],
    ['a value out of range', { turn_config: { endpointing_min_ms: -1 } }, 'turn_config.endpointing_min_ms'],
    ['the clearing of a required field', { slug: null }, 'slug'],
    ['a slug in capitals', { slug: 'Front-Desk' }, 'slug'],
    ['a slug in mixed scripts', { slug: 'frоnt-desk' }, 'slug'],
    ['a slug like an id', { slug: randomUUID() }, 'slug'],
    ['two tools of one name', { tools: [1, 2].map(() => ({ type: 'client', name: 'a' })) }, 'tools'],
    ['an unknown field of a tool', { tools: [{ type: 'client', name: 'a', url: 'https://a.example.com' }] }, 'url'],
    ['text that cannot be stored', { display_name: 'a\0b' }, 'display_name'],
    ['a field that only prototypes have', JSON.parse('{"constructor":{"prototype":1}}'), 'constructor'],
  ])('a PATCH with %s is refused, names the field and changes nothing', async (_what, wrong, field) => {
    const agent = await create()
    await expect(patch(agent, wrong)).rejects.toMatchObject({
      code: 'invalid_request',
      detail: expect.stringContaining(field),
    })
    expect(await read(agent)).toEqual(agent)
    await expect(create(wrong)).rejects.toMatchObject({
      code: 'invalid_request',
      detail: expect.stringContaining(field),
    })
  })

  test('a PATCH cannot reach the prototype of a configuration', async () => {
    const agent = await create()
    const sneaky = JSON.parse('{"__proto__":{"slug":"other"},"metadata":{"__proto__":{"polluted":1}}}')
    await patch(agent, sneaky).catch(() => {})
    expect(await read(agent)).toEqual(agent)
    expect({}).not.toHaveProperty('polluted')
  })

  test('a configuration too big for one message is refused, even when it grows in small steps', async () => {
    const tool = (name: string) => ({ type: 'client', name, parameters: { description: 'x'.repeat(16_000) } })
    const tools = Array.from({ length: 20 }, (_, n) => tool(`tool_${n}`))
    await expect(create({ tools })).rejects.toMatchObject({ code: 'invalid_request' })
    const agent = await create({ tools: tools.slice(0, 15) })
    expect((await read(agent)).tools).toHaveLength(15)
    await expect(patch(agent, { tools: tools.slice(0, 17) })).rejects.toMatchObject({ code: 'invalid_request' })
    expect(await read(agent)).toEqual(agent)
  })

  test('a slug is taken while an Agent of the workspace has it, and free when that is renamed or deleted', async () => {
    const first = await create({ slug: 'wanted' })
    const second = await create()
    const taken = { code: 'slug_taken', detail: expect.stringContaining('wanted') }
    await expect(create({ slug: 'wanted' })).rejects.toMatchObject(taken)
    await expect(patch(second, { slug: 'wanted' })).rejects.toMatchObject(taken)
    expect(await read(second)).toEqual(second)

    await patch(first, { slug: 'given-up' })
    const third = await create({ slug: 'wanted' })
    await remove(third)
    expect(await patch(second, { slug: 'wanted' })).toMatchObject({ slug: 'wanted' })
    await client.createAgent({ workspace_id: randomUUID(), config: config({ slug: 'wanted' }) })
  })

  test('changes under the version that was expected, and under no other', async () => {
    const agent = await create()
    const conflict = { code: 'revision_conflict' }
    await expect(patch(agent, { display_name: 'B' }, 2)).rejects.toMatchObject(conflict)
    await patch(agent, { display_name: 'B' }, 1)
    await expect(patch(agent, { display_name: 'C' }, 1)).rejects.toMatchObject(conflict)
    await expect(patch(agent, {}, 1)).rejects.toMatchObject(conflict)
    await expect(remove(agent, 1)).rejects.toMatchObject(conflict)
    expect(await read(agent)).toMatchObject({ display_name: 'B', draft_revision: { version: 2 } })
    await remove(agent, 2)
  })

  test('that was deleted or never existed is not found by any method', async () => {
    const deleted = await create()
    await client.publishAgent({ workspace_id, agent_id: deleted.id })
    await remove(deleted)
    for (const agent_id of [deleted.id, randomUUID()]) {
      const address = { workspace_id, agent_id }
      const attempts = [
        client.getAgent(address),
        client.updateAgent({ ...address, patch: {} }),
        client.deleteAgent(address),
        client.publishAgent(address),
        client.publishAgent({ ...address, revision_id: deleted.draft_revision.id }),
        client.checkPublish(address),
        client.listRevisions(address),
        client.listPublications(address),
        client.getPublished(address),
      ]
      for (const outcome of await Promise.allSettled(attempts)) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'agent_not_found' } })
      }
    }
    expect((await client.listAgents({ workspace_id })).agents).toEqual([])
  })
})
