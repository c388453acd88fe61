import { randomBytes, randomUUID } from 'node:crypto'
import { parsePeppers } from '@parlance/clients/api-key'
import { createModelKeys } from '@parlance/clients/model-keys'
import { type ModelServers, maxModelProviders, type SealedModelProvider } from '@parlance/contracts'
import type { Database } from '@parlance/store'
import { describeWithPrograms, weakenDatabases } from '@parlance/testing'
import { resealTable } from '../src/reseal.js'
import { config, type Installation, startInstallation } from './installation.js'

const MODEL_PROVIDER_KEYS = `1:${randomBytes(32).toString('base64')}`
const weakened = weakenDatabases()
const provider = { kind: 'anthropic', name: 'Ours', key: 'sk-secret' } as const
const actor = { kind: 'person', id: randomUUID() } as const
const missing = { code: 'not_found', detail: 'There is no such model provider.' }

describeWithPrograms(['postgres'], 'the model providers of a workspace', () => {
  describe.each([
    ['with all protections', (database: Database) => database],
    ['by row-level security alone', weakened.byRowsAlone],
    ['by the filters of the queries alone', weakened.byFiltersAlone],
  ] as const)('kept apart %s', (_name, wrap) => {
    let installation: Installation
    beforeAll(async () => {
      installation = await startInstallation({ wrap, environment: { MODEL_PROVIDER_KEYS } })
    })
    afterAll(() => installation.stop())

    test('are listed without their keys and without those of other workspaces', async () => {
      const { providers } = installation
      const [here, there] = [randomUUID(), randomUUID()]
      const mine = await providers.createProvider({ workspace_id: here, provider, actor })
      const theirs = await providers.createProvider({ workspace_id: there, provider, actor })
      expect(mine).toEqual({
        ...{ id: expect.any(String), kind: 'anthropic', name: 'Ours', url: null, has_key: true },
        created_at: expect.any(String),
      })
      expect(await providers.listProviders({ workspace_id: here })).toEqual({ providers: [mine] })
      for (const provider_id of [theirs.id, randomUUID()]) {
        const address = { workspace_id: here, provider_id }
        await expect(providers.deleteProvider({ ...address, actor })).rejects.toMatchObject(missing)
        await expect(providers.testProvider({ ...address, model: 'x' })).rejects.toMatchObject(missing)
        await expect(providers.getSealedProvider(address)).rejects.toMatchObject(missing)
      }
      expect(await providers.listProviders({ workspace_id: there })).toEqual({ providers: [theirs] })
    })

    test('may be used by an Agent until they are deleted', async () => {
      const { providers, client } = installation
      const [workspace_id, other] = [randomUUID(), randomUUID()]
      const { id } = await providers.createProvider({ workspace_id, provider, actor })
      const createNaming = (workspace: string) =>
        client.createAgent({ workspace_id: workspace, config: config({ llm_provider: id, llm_model: 'large' }) })
      const [agent, theirs] = [await createNaming(workspace_id), await createNaming(other)]
      const refused = { code: 'agent_not_publishable', detail: expect.stringContaining('llm_provider') }
      const address = { workspace_id, agent_id: agent.id }
      await expect(client.publishAgent({ workspace_id: other, agent_id: theirs.id })).rejects.toMatchObject(refused)
      await client.publishAgent(address)
      const sealed = await providers.getSealedProvider({ workspace_id, provider_id: id })
      expect(sealed).toEqual({ id, kind: 'anthropic', url: null, sealed_key: expect.not.stringContaining('sk-secret') })
      const { open } = createModelKeys(parsePeppers(MODEL_PROVIDER_KEYS))
      expect(await open({ workspaceId: workspace_id, providerId: id }, sealed.sealed_key!)).toBe('sk-secret')

      await providers.deleteProvider({ workspace_id, provider_id: id, actor })
      await client.updateAgent({ ...address, patch: { description: 'again' } })
      expect(await client.checkPublish(address)).toMatchObject({
        publishable: false,
        problems: [{ field: 'llm_provider', detail: expect.stringContaining('no such model provider') }],
      })
      await expect(client.publishAgent(address)).rejects.toMatchObject(refused)
    })

    test('are beside MCP servers, whose headers are sealed for one Agent and one server and never read back', async () => {
      const { client } = installation
      const workspace_id = randomUUID()
      const server = (headers: Record<string, string>, url = 'https://93.184.216.34/mcp') => ({
        ...{ type: 'mcp' as const, name: 'orders', url, headers, allowed_tools: null },
      })
      const create = (headers: Record<string, string>) =>
        client.createAgent({ workspace_id, config: config({ tools: [server(headers)] }) })
      const agent = await create({ Authorization: 'Bearer a-secret' })
      const { headers } = agent.tools[0] as ReturnType<typeof server>
      expect(headers).toEqual({ Authorization: expect.stringMatching(/^sealed:/) })

      const address = { workspace_id, agent_id: agent.id }
      const change = (tools: object[]) =>
        client.updateAgent({ ...address, patch: { description: 'Changed', tools } as Record<string, unknown> })
      const changed = await change([server({ ...headers, 'X-Key': 'another-secret' }, 'https://93.184.216.34/v2')])
      const kept = (changed.tools[0] as ReturnType<typeof server>).headers
      expect(kept).toEqual({ ...headers, 'X-Key': expect.stringMatching(/^sealed:/) })
      expect((await change(changed.tools)).draft_revision).toEqual(changed.draft_revision)

      const refused = {
        code: 'invalid_request',
        detail: expect.stringContaining('tools.0.headers.Authorization: must be'),
      }
      await expect(change([server(headers, 'https://93.184.216.35/mcp')])).rejects.toMatchObject(refused)
      await expect(create(headers)).rejects.toMatchObject(refused)
      await expect(change([server({}, 'http://10.0.0.1/mcp')])).rejects.toMatchObject({ code: 'invalid_request' })

      const { open } = createModelKeys(parsePeppers(MODEL_PROVIDER_KEYS), 'headers')
      const stored = await client.getSealedHeaders(address)
      const secrets = await Promise.all(
        stored.headers.map(({ id, sealed }) => open({ workspaceId: workspace_id, providerId: id }, sealed)),
      )
      expect(secrets.sort()).toEqual(['Bearer a-secret', 'another-secret'])
      expect(await client.getSealedHeaders({ ...address, workspace_id: randomUUID() })).toEqual({ headers: [] })
      await client.deleteAgent({ ...address, actor })
      expect(await client.getSealedHeaders(address)).toEqual({ headers: [] })
    })
  })

  describe('of an installation', () => {
    let installation: Installation
    const asked: SealedModelProvider[] = []
    const servers: ModelServers = {
      found: [{ name: 'Ollama', url: 'http://ollama/v1', models: ['m'] }],
      configured: [],
    }
    beforeAll(async () => {
      const models = {
        tryProvider(request: { provider: SealedModelProvider }) {
          asked.push(request.provider)
          return { ok: false, detail: 'It is busy.', first_text_ms: null }
        },
        listModels({ provider }: { provider: SealedModelProvider }) {
          if (provider.sealed_key === null) {
            return { ok: false, detail: 'The server asks for a key (status 401).', models: [] }
          }
          asked.push(provider)
          return { ok: true, detail: '', models: ['small'] }
        },
        findServers: () => servers,
      }
      installation = await startInstallation({ environment: { MODEL_PROVIDER_KEYS }, models })
    })
    afterAll(() => installation.stop())

    test('are checked before they are added, tried and listed by the service that calls models, with the sealed key', async () => {
      const { providers } = installation
      const workspace_id = randomUUID()
      const { id } = await providers.createProvider({ workspace_id, provider, actor })
      const address = { workspace_id, provider_id: id }
      const outcome = await providers.testProvider({ ...address, model: 'large' })
      expect(outcome).toEqual({ ok: false, detail: 'It is busy.', first_text_ms: null })
      expect(await providers.listProviderModels(address)).toEqual({ ok: true, detail: '', models: ['small'] })
      const sealed = { id, kind: 'anthropic', url: null, sealed_key: expect.not.stringContaining('sk-secret') }
      expect(asked).toEqual([sealed, sealed, sealed])
      await expect(providers.listProviderModels({ ...address, provider_id: randomUUID() })).rejects.toMatchObject(
        missing,
      )
    })

    test('are not added when their key is refused', async () => {
      const { providers } = installation
      const workspace_id = randomUUID()
      const open = { kind: 'openai_compatible', name: 'Open', url: 'https://models.example.com/v1' } as const
      await expect(providers.createProvider({ workspace_id, provider: open, actor })).rejects.toMatchObject({
        ...{ code: 'invalid_request', detail: 'The server asks for a key (status 401).' },
      })
      expect(await providers.listProviders({ workspace_id })).toEqual({ providers: [] })
    })

    test('are beside the servers that are found', async () => {
      expect(await installation.providers.findModelServers({})).toEqual(servers)
    })

    test('keep their keys when a master key is put in front and the old one is removed', async () => {
      const workspace_id = randomUUID()
      const { id } = await installation.providers.createProvider({ workspace_id, provider, actor })
      const second = `2:${randomBytes(32).toString('base64')}`
      const both = createModelKeys(parsePeppers(`${second},${MODEL_PROVIDER_KEYS}`))
      expect(await resealTable(installation.database, 'model_providers', both.reseal)).toBeGreaterThan(0)
      expect(await resealTable(installation.database, 'model_providers', both.reseal)).toBe(0)
      const { sealed_key } = await installation.providers.getSealedProvider({ workspace_id, provider_id: id })
      const { open } = createModelKeys(parsePeppers(second))
      expect(await open({ workspaceId: workspace_id, providerId: id }, sealed_key!)).toBe('sk-secret')

      const tools = [{ type: 'mcp', name: 'a', url: 'https://93.184.216.34/', headers: { 'x-key': 'a-secret' } }]
      const agent = await installation.client.createAgent({ workspace_id, config: config({ tools }) as never })
      const headers = createModelKeys(parsePeppers(`${second},${MODEL_PROVIDER_KEYS}`), 'headers')
      expect(await resealTable(installation.database, 'sealed_headers', headers.reseal)).toBeGreaterThan(0)
      const stored = await installation.client.getSealedHeaders({ workspace_id, agent_id: agent.id })
      const header = stored.headers[0]!
      const opened = createModelKeys(parsePeppers(second), 'headers')
      expect(await opened.open({ workspaceId: workspace_id, providerId: header.id }, header.sealed)).toBe('a-secret')
    })

    test('have a limit that requests at the same time cannot exceed', async () => {
      const workspace_id = randomUUID()
      const outcomes = await Promise.allSettled(
        Array.from({ length: maxModelProviders + 3 }, () =>
          installation.providers.createProvider({ workspace_id, provider, actor }),
        ),
      )
      const refused = outcomes.filter(({ status }) => status === 'rejected')
      expect(refused).toHaveLength(3)
      for (const { reason } of refused as PromiseRejectedResult[])
        expect(reason).toMatchObject({ code: 'invalid_request' })
    })
  })

  test('cannot have keys where the operator has set no master key', async () => {
    const installation = await startInstallation()
    const { providers } = installation
    const workspace_id = randomUUID()
    await expect(providers.createProvider({ workspace_id, provider, actor })).rejects.toMatchObject({
      ...{ code: 'unavailable', detail: expect.stringContaining('MODEL_PROVIDER_KEYS') },
    })
    const open = { kind: 'openai_compatible', name: 'Open', url: 'https://models.example.com/v1' } as const
    expect(await providers.createProvider({ workspace_id, provider: open, actor })).toMatchObject({ has_key: false })
    await installation.stop()
  })
})
