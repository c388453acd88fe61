import { randomBytes, randomUUID } from 'node:crypto'
import { parsePeppers } from '@parlance/clients/api-key'
import { createModelKeys } from '@parlance/clients/model-keys'
import { parseAllowedPlaces } from '@parlance/egress'
import { createMetrics, noTracing } from '@parlance/telemetry'
import { beginEvents } from '@parlance/testing/stand-ins'
import { createProviderModels } from '../../src/llm/provider-models.js'
import { tryModel } from '../../src/llm/try-model.js'
import { closeScenes, openScene, providers, secretKey, wholeReply } from './model-scene.js'

const keys = createModelKeys(parsePeppers(`1:${randomBytes(32).toString('base64')}`))
const [workspaceId, id] = [randomUUID(), randomUUID()]
const name = { workspaceId, providerId: id }

/** Opens models of workspaces; `places` are what the operator allows beside the public Internet. */
const openModels = (places: string, url = 'http://unused.example') =>
  createProviderModels({
    config: { LLM_OPENAI_URL: url, LLM_ANTHROPIC_URL: url, LLM_LOCAL_URLS: [] },
    keys,
    telemetry: { metrics: createMetrics(), tracing: noTracing },
    allow: parseAllowedPlaces(places),
    ports: undefined,
  })

afterEach(closeScenes)

test.each(providers)('a model of $provider answers with the key of the workspace', async ({ provider, protocol }) => {
  const { server } = await openScene(provider, (_request, response) => {
    beginEvents(response)
    response.end(wholeReply(protocol, 'Hello.'))
  })
  const url = `${server.url}/v1`
  const sealed_key = await keys.seal(name, secretKey)
  const given = { id, kind: provider, url: provider === 'openai_compatible' ? `${url}/` : null, sealed_key }
  const model = await openModels('127.0.0.1', url)(workspaceId, given, 'stand-in')
  expect(await tryModel(model)).toEqual({ ok: true, detail: '', first_text_ms: expect.any(Number) })
  const { headers, body, path } = server.requests[0]!
  expect(Object.values(headers).join(' ')).toContain(secretKey)
  expect([body.model, path.startsWith('/v1/')]).toEqual(['stand-in', true])
})

test('a server in a private network is not called unless the operator allows it', async () => {
  const { server } = await openScene('openai_compatible', () => {})
  const given = { id, kind: 'openai_compatible', url: `${server.url}/v1`, sealed_key: null } as const
  const outcome = await tryModel(await openModels('10.0.0.0/8')(workspaceId, given, 'stand-in'))
  expect(outcome).toMatchObject({ ok: false, first_text_ms: null })
  expect([outcome.detail !== '', server.connections()]).toEqual([true, 0])
})

test('a refused key is the result of a test, with the reason and without the key', async () => {
  const { server } = await openScene('openai_compatible', (_request, response) => {
    response.writeHead(401, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { code: 'invalid_api_key', message: `${secretKey} is wrong` } }))
  })
  const sealed_key = await keys.seal(name, secretKey)
  const given = { id, kind: 'openai_compatible', url: `${server.url}/v1`, sealed_key } as const
  const outcome = await tryModel(await openModels('127.0.0.1')(workspaceId, given, 'stand-in'))
  expect(outcome).toMatchObject({ ok: false, detail: expect.stringContaining('status 401 (invalid_api_key)') })
  expect(outcome.detail).not.toContain(secretKey)
})

test('a key of another workspace is not opened', async () => {
  const sealed_key = await keys.seal({ ...name, workspaceId: randomUUID() }, secretKey)
  const given = { id, kind: 'anthropic', url: null, sealed_key } as const
  await expect(openModels('')(workspaceId, given, 'x')).rejects.toMatchObject({ code: 'unavailable' })
})
