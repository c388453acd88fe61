import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type AgentConfig, agentConfigSchema, type ServiceError } from '@parlance/contracts'
import { describeWithPrograms } from '@parlance/testing'
import fc from 'fast-check'
import { type AgentsClient, config, type Installation, startInstallation } from './installation.js'

type Patch = Record<string, unknown>

/** What an Agent should have become: its configurations from version 1 on, and which of them was published when. */
interface Model {
  configs: AgentConfig[]
  published: number[]
}

const json = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1.5, '', 'text', 'Ä\0\u2028', [], {}),
  fc.record({ a: fc.constantFrom(1, 'b', null), b: fc.array(fc.integer(), { maxLength: 2 }) }, { requiredKeys: [] }),
)
const or = <T>(value: fc.Arbitrary<T>, weight = 6) =>
  fc.oneof({ arbitrary: value, weight }, { arbitrary: json, weight: 1 })
const part = (fields: Record<string, fc.Arbitrary<unknown>>) => or(fc.record(fields, { requiredKeys: [] }), 12)

/** One or two fields at a time, because with many fields one is nearly always invalid. */
const patchArbitrary: fc.Arbitrary<Patch> = fc
  .array(
    fc.oneof(
      fc.record({ display_name: or(fc.constantFrom('One', 'Two')) }),
      fc.record({ description: or(fc.constantFrom('', 'a', 'b')) }),
      fc.record({ avatar_id: fc.constantFrom(null, null, 'mira') }),
      fc.record({ first_message: fc.constantFrom(null, 'Hello', '') }),
      fc.record({ memory_enabled: fc.constantFrom(true, false, null) }),
      fc.record({
        voice_config: part({
          tts_variant: fc.constantFrom(null, 'standard', 'standard', 'grand'),
          speed: fc.constantFrom(null, 1, 1.5, 3),
        }),
      }),
      fc.record({
        llm_config: part({ temperature: fc.constantFrom(null, 0, 0.7, -1), timeout_ms: fc.constantFrom(null, 1000) }),
      }),
      fc.record({
        session_config: part({
          allowed_origins: fc.constantFrom(null, [], ['https://a.example.com'], ['nonsense']),
          store_transcript: fc.boolean(),
        }),
      }),
      fc.record({ tools: or(fc.constantFrom([], [{ type: 'client', name: 'a' }], [{ type: 'other' }])) }),
      fc.record({ metadata: part({ a: json, b: json }) }),
      { arbitrary: fc.constant({ surprise: 1 }), weight: 1 },
    ),
    { maxLength: 2 },
  )
  // Plain objects, as received from the bus.
  .map((parts) => JSON.parse(JSON.stringify(Object.assign({}, ...parts))))

type Step = { patch: Patch; expect: number | null } | { publish: number | null }
const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({
      patch: patchArbitrary,
      expect: fc.oneof(
        { arbitrary: fc.constant(null), weight: 5 },
        { arbitrary: fc.integer({ min: 1, max: 6 }), weight: 1 },
      ),
    }),
    weight: 2,
  },
  { arbitrary: fc.record({ publish: fc.option(fc.integer({ min: 1, max: 6 })) }), weight: 1 },
)

/** PATCH as the contract words it: fields replace, objects of configuration merge one level deep, null clears. */
const patchedByModel = (standing: AgentConfig, patch: Patch): AgentConfig | undefined => {
  const next: Patch = structuredClone(standing)
  const merging = ['voice_config', 'llm_config', 'session_config', 'metadata']
  for (const [name, value] of Object.entries(patch)) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    next[name] = merging.includes(name) && isObject ? { ...(next[name] as object), ...value } : value
    if (merging.includes(name) && isObject) {
      next[name] = Object.fromEntries(
        Object.entries(next[name] as object).filter(([field, inner]) => inner !== null || !Object.hasOwn(value, field)),
      )
    }
    if (value === null) delete next[name]
  }
  const parsed = agentConfigSchema.safeParse(next)
  return parsed.success ? parsed.data : undefined
}

describeWithPrograms(['postgres'], 'an Agent under any sequence of changes', () => {
  const workspace_id = randomUUID()
  let installation: Installation
  let client: AgentsClient

  beforeAll(async () => {
    installation = await startInstallation()
    client = installation.client
  })
  afterAll(() => installation.stop())

  const isPublishable = ({ voice_config: { tts_variant }, avatar_id }: AgentConfig) =>
    tts_variant !== 'grand' && avatar_id === null

  const run = async (steps: readonly Step[]): Promise<void> => {
    const created = await client.createAgent({ workspace_id, config: config() })
    const address = { workspace_id, agent_id: created.id }
    const first = agentConfigSchema.parse({ ...config(), slug: created.slug })
    const model: Model = { configs: [first], published: [] }
    const revisionIds = [created.draft_revision.id]
    const outcomeOf = async <T>(attempt: Promise<T>) =>
      attempt.then(
        (answer) => ({ answer, code: 'done' }),
        (error: ServiceError) => ({ answer: undefined, code: error.code }),
      )

    for (const step of steps) {
      const draft = model.configs.at(-1)!
      if ('patch' in step) {
        // biome-ignore lint/suspicious/noExplicitAny: what is sent may be wrong on purpose
        const request = { ...address, patch: step.patch as any, expected_version: step.expect }
        const { answer, code } = await outcomeOf(client.updateAgent(request))
        const wanted = patchedByModel(draft, step.patch)
        if (step.expect !== null && step.expect !== model.configs.length) expect(code).toBe('revision_conflict')
        else if (wanted === undefined) expect(code).toBe('invalid_request')
        else {
          expect(code).toBe('done')
          if (!isDeepStrictEqual(wanted, draft)) {
            model.configs.push(wanted)
            revisionIds.push(answer!.draft_revision.id)
          }
          expect(answer).toMatchObject({ draft_revision: { version: model.configs.length } })
        }
      } else {
        const version = step.publish ?? model.configs.length
        const revision_id = step.publish === null ? null : (revisionIds[version - 1] ?? randomUUID())
        const { answer, code } = await outcomeOf(client.publishAgent({ ...address, revision_id }))
        const target = model.configs[version - 1]
        if (target === undefined) expect(code).toBe('not_found')
        else if (version === model.published.at(-1)) expect(answer).toMatchObject({ created: false })
        else if (!isPublishable(target)) expect(code).toBe('agent_not_publishable')
        else {
          model.published.push(version)
          expect(answer).toMatchObject({ created: true, publication: { version: model.published.length } })
        }
      }

      const agent = await client.getAgent(address)
      const { configs, published } = model
      const standing = published.at(-1)
      expect(agent).toEqual({
        ...configs.at(-1),
        id: created.id,
        state: standing === undefined ? 'draft' : 'published',
        api_ready: standing !== undefined && configs[standing - 1]!.voice_config.tts_variant !== null,
        draft_revision: { id: revisionIds.at(-1), version: configs.length },
        active_publication:
          standing === undefined
            ? null
            : {
                id: expect.any(String),
                version: published.length,
                revision: { id: revisionIds[standing - 1], version: standing },
                memory_enabled: configs[standing - 1]!.memory_enabled,
                calendar_enabled: false,
                created_at: expect.any(String),
              },
        created_at: created.created_at,
        updated_at: expect.any(String),
      })
    }

    const { revisions } = await client.listRevisions({ ...address, order: 'asc' })
    expect(revisions.map(({ config }) => config)).toEqual(model.configs)
    const { publications } = await client.listPublications({ ...address, order: 'asc' })
    expect(publications.map(({ revision }) => revision.version)).toEqual(model.published)
    const { code, answer } = await outcomeOf(client.getPublished(address))
    const standing = model.published.at(-1)
    if (standing === undefined) expect(code).toBe('agent_not_published')
    else expect(answer?.config).toEqual(model.configs[standing - 1])
  }

  test('behaves as a small model of it', async () => {
    await fc.assert(fc.asyncProperty(fc.array(stepArbitrary, { maxLength: 20, size: 'max' }), run), { numRuns: 100 })
  })
})
