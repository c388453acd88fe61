import { randomUUID } from 'node:crypto'
import { describeWithPrograms } from '@parlance/testing'
import { type AgentsClient, callsOfOneWorkspace, type Installation, mira, startInstallation } from './installation.js'

describeWithPrograms(['postgres'], 'publishing', () => {
  let installation: Installation
  let client: AgentsClient
  const { at, create: createWith, read, patch, publish } = callsOfOneWorkspace(() => client)
  const create = (fields: object = {}) => createWith({ voice_config: { tts_variant: 'standard' }, ...fields })

  beforeAll(async () => {
    installation = await startInstallation()
    client = installation.client
  })
  afterAll(() => installation.stop())

  test('makes the draft active for conversations, and edits reach them with the next publication', async () => {
    const agent = await create({ description: 'first', memory_enabled: true })
    await expect(client.getPublished(at(agent))).rejects.toMatchObject({ code: 'agent_not_published' })

    const { publication, created } = await publish(agent)
    expect(created).toBe(true)
    expect(publication).toEqual({
      id: expect.any(String),
      version: 1,
      revision: agent.draft_revision,
      memory_enabled: true,
      calendar_enabled: false,
      created_at: expect.any(String),
    })
    const published = await read(agent)
    expect(published).toEqual({
      ...agent,
      state: 'published',
      api_ready: true,
      active_publication: publication,
      updated_at: expect.any(String),
    })

    const edited = await patch(agent, { description: 'second', memory_enabled: false })
    expect(edited).toMatchObject({ state: 'published', active_publication: publication, memory_enabled: false })
    expect(await client.getPublished(at(agent))).toMatchObject({ publication, config: { description: 'first' } })

    const next = await publish(agent)
    expect(next.publication).toMatchObject({ version: 2, revision: edited.draft_revision, memory_enabled: false })
    const standing = await client.getPublished(at(agent))
    expect(standing.publication).toEqual(next.publication)
    expect(await read(agent)).toMatchObject(standing.config)
  })

  test('publishing an unchanged draft returns the active publication, even while no catalog responds', async () => {
    const agent = await create()
    const first = await publish(agent)
    const before = await read(agent)
    expect(await publish(agent)).toEqual({ publication: first.publication, created: false, api_ready: true })
    expect(await publish(agent, { revision_id: agent.draft_revision.id })).toMatchObject({ created: false })
    await installation.withoutCatalog(async () => {
      expect(await publish(agent)).toMatchObject({ created: false })
    })
    expect(await read(agent)).toEqual(before)
  })

  test('an older revision can be published again, and the draft is kept', async () => {
    const agent = await create({ description: 'first' })
    await publish(agent)
    await patch(agent, { description: 'second' })
    await publish(agent)
    const { publication, created } = await publish(agent, { revision_id: agent.draft_revision.id })
    expect(created).toBe(true)
    expect(publication).toMatchObject({ version: 3, revision: agent.draft_revision })
    expect((await client.getPublished(at(agent))).config.description).toBe('first')
    expect(await read(agent)).toMatchObject({ description: 'second', draft_revision: { version: 2 } })
    expect(await publish(agent)).toMatchObject({ created: true, publication: { version: 4, revision: { version: 2 } } })
  })

  test('a revision that the Agent does not have is not found', async () => {
    const agent = await create()
    const other = await create()
    for (const revision_id of [randomUUID(), other.draft_revision.id]) {
      await expect(publish(agent, { revision_id })).rejects.toMatchObject({ code: 'not_found' })
      await expect(client.checkPublish({ ...at(agent), revision_id })).rejects.toMatchObject({ code: 'not_found' })
    }
    expect(await read(agent)).toEqual(agent)
  })

  test('checks the expected version, whichever revision is requested', async () => {
    const agent = await create()
    await patch(agent, { description: 'second' })
    for (const revision_id of [null, agent.draft_revision.id]) {
      const stale = { ...at(agent), revision_id, expected_version: 1 }
      await expect(client.publishAgent(stale)).rejects.toMatchObject({ code: 'revision_conflict' })
      await expect(client.checkPublish(stale)).rejects.toMatchObject({ code: 'revision_conflict' })
    }
    expect(await publish(agent, { expected_version: 2 })).toMatchObject({ created: true })
  })

  test('api_ready follows the variant of the published revision and not of the draft', async () => {
    const agent = await create({ voice_config: {} })
    await publish(agent)
    expect(await read(agent)).toMatchObject({ state: 'published', api_ready: false })
    expect(await patch(agent, { voice_config: { tts_variant: 'standard' } })).toMatchObject({ api_ready: false })
    await publish(agent)
    expect(await read(agent)).toMatchObject({ api_ready: true })
    expect(await patch(agent, { voice_config: { tts_variant: null } })).toMatchObject({ api_ready: true })
    await publish(agent, { revision_id: agent.draft_revision.id })
    expect(await read(agent)).toMatchObject({ api_ready: false })
  })

  test('an Agent without a TTS variant can be published, and the answer and the check say that no tokens are minted for it', async () => {
    const agent = await create({ voice_config: {} })
    expect(await client.checkPublish(at(agent))).toEqual({
      publishable: true,
      api_ready: false,
      problems: [],
      warnings: [
        {
          field: 'voice_config.tts_variant',
          code: 'variant_not_chosen',
          detail: 'Until one is chosen and published, no session tokens are minted for the Agent.',
        },
      ],
    })
    const first = await publish(agent)
    expect(first).toMatchObject({ created: true, api_ready: false })
    expect(await publish(agent)).toEqual({ ...first, created: false })
    await patch(agent, { voice_config: { tts_variant: 'standard' } })
    expect(await client.checkPublish(at(agent))).toMatchObject({ api_ready: true, warnings: [] })
    expect(await publish(agent)).toMatchObject({ created: true, api_ready: true })
  })

  test.each([
    ['a voice that no engine offers', { voice_id: 'b'.repeat(32) }, 'voice_id', 'voice_not_found'],
    [
      'a variant that the voice lacks',
      { voice_config: { tts_variant: 'grand' } },
      'voice_config.tts_variant',
      'variant_not_found',
    ],
    [
      'a language that the voice does not speak',
      { voice_config: { tts_variant: 'standard', language: 'de' } },
      'voice_config.language',
      'language_not_spoken',
    ],
    [
      'a region that the voice does not have',
      { voice_config: { tts_variant: 'standard', language: 'en-US' } },
      'voice_config.language',
      'language_not_spoken',
    ],
    [
      'a tool whose parameters can never be an object',
      { tools: [{ type: 'client', name: 'open', parameters: { type: 'string' } }] },
      'tools.0.parameters',
      'tool_schema_invalid',
    ],
    ['an unknown avatar', { avatar_id: 'unknown' }, 'avatar_id', 'avatar_not_found'],
    ['an unknown LLM provider', { llm_provider: 'oracle-of-delphi' }, 'llm_provider', 'llm_provider_unknown'],
    [
      'parameters that are not a JSON Schema',
      {
        tools: [
          { type: 'client', name: 'a' },
          { type: 'client', name: 'b', parameters: { type: 'objekt' } },
        ],
      },
      'tools.1.parameters',
      'tool_schema_invalid',
    ],
  ])('refuses %s, with the field', async (_what, fields, field, code) => {
    const agent = await create(fields)
    await expect(publish(agent)).rejects.toMatchObject({
      code: 'agent_not_publishable',
      detail: expect.stringContaining(`${field}: `),
    })
    expect(await client.checkPublish(at(agent))).toEqual({
      publishable: false,
      api_ready: false,
      problems: [{ field, code, detail: expect.any(String) }],
      warnings: [],
    })
    expect(await read(agent)).toEqual(agent)
  })

  test('names all problems at once', async () => {
    const agent = await create({
      avatar_id: 'unknown',
      voice_config: { tts_variant: 'grand', language: 'de' },
      llm_provider: 'oracle',
      tools: [{ type: 'client', name: 'a', parameters: { type: 1 } }],
    })
    const { problems } = await client.checkPublish(at(agent))
    const fields = problems.map(({ field }) => field)
    expect(fields.toSorted()).toEqual([
      'avatar_id',
      'llm_provider',
      'tools.0.parameters',
      'voice_config.language',
      'voice_config.tts_variant',
    ])
    const refused = await publish(agent).catch((error) => error)
    for (const field of fields) expect(refused.detail).toContain(field)
  })

  test('accepts what the voice and the avatar support, with the language in any case', async () => {
    for (const language of ['en', 'EN', 'en-gb', 'fr', null]) {
      const agent = await create({
        avatar_id: mira.id,
        voice_config: { tts_variant: 'standard', language },
        tools: [{ type: 'webhook', name: 'a', url: 'https://a.example.com', parameters: { type: 'object' } }],
      })
      expect(await client.checkPublish(at(agent))).toEqual({
        publishable: true,
        api_ready: true,
        problems: [],
        warnings: [],
      })
      expect(await publish(agent)).toMatchObject({ created: true })
    }
  })

  test.each([
    ['de', 'German', 'German'],
    ['de-DE', 'German (Germany)', 'German'],
    ['pt-BR', 'Brazilian Portuguese', 'Portuguese'],
    ['xx-a', 'xx-a', 'xx'],
  ])(
    'a voice that does not speak the %s that the Agent understands is a warning that names the languages, and can be published',
    async (language, understood, wanted) => {
      const agent = await create({ stt_config: { language } })
      const { publishable, problems, warnings } = await client.checkPublish(at(agent))
      expect({ publishable, problems }).toEqual({ publishable: true, problems: [] })
      expect(warnings).toEqual([
        {
          field: 'stt_config.language',
          code: 'language_not_spoken',
          detail: expect.stringContaining(`understands ${understood}, and its voice `),
        },
      ])
      expect(warnings[0]!.detail).toContain(`Choose a voice that speaks ${wanted}.`)
      expect(await publish(agent)).toMatchObject({ created: true })
    },
  )

  test.each(['en', 'en-US', 'FR', 'fr-CA'])(
    'a voice that speaks the %s that the Agent understands, of any region, is no warning',
    async (language) => {
      expect(await client.checkPublish(at(await create({ stt_config: { language } })))).toMatchObject({ warnings: [] })
    },
  )

  test('a dry run checks the requested revision, and publishes nothing', async () => {
    const agent = await create()
    await patch(agent, { llm_provider: 'oracle' })
    expect(await client.checkPublish(at(agent))).toMatchObject({ publishable: false })
    expect(await client.checkPublish({ ...at(agent), revision_id: agent.draft_revision.id })).toMatchObject({
      publishable: true,
    })
    expect(await read(agent)).toMatchObject({ state: 'draft', active_publication: null })
  })
})
