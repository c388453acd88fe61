import { randomBytes, randomUUID } from 'node:crypto'
import { parsePeppers } from '@parlance/clients/api-key'
import { createModelKeys } from '@parlance/clients/model-keys'
import { parseAllowedPlaces } from '@parlance/egress'
import { createMetrics, noTracing } from '@parlance/telemetry'
import { freePort, sendJson, startLocalServer } from '@parlance/testing'
import { type OllamaServer, startOllamaServer } from '@parlance/testing/stand-ins'
import { createModelLists } from '../../src/llm/model-lists.js'
import { createProviderModels } from '../../src/llm/provider-models.js'
import { readReply } from './model-scene.js'

const keys = createModelKeys(parsePeppers(`1:${randomBytes(32).toString('base64')}`))
const [workspaceId, id] = [randomUUID(), randomUUID()]
const stops: (() => Promise<unknown>)[] = []
afterEach(() => Promise.all(stops.splice(0).map((stop) => stop())))

/** A server that answers these paths with 200 and others with 404; with 401 where `key` is set and not sent. */
const openServer = async (answers: Readonly<Record<string, unknown>>, key?: string): Promise<string> => {
  const { url, close } = await startLocalServer(({ url, headers }, response) => {
    const given = headers.authorization?.slice('Bearer '.length) ?? headers['x-api-key']
    const body = answers[url ?? '']
    const status = key !== undefined && given !== key ? 401 : body === undefined ? 404 : 200
    sendJson(response, status, body ?? { error: 'none' })
  })
  stops.push(close)
  return url
}
const openOllama = async (): Promise<OllamaServer> => {
  const server = await startOllamaServer({
    models: ['qwen3:8b', 'llama3.2:3b'],
    embeddingModels: ['nomic-embed-text:latest'],
    replyTo: () => 'Good day.',
  })
  stops.push(server.stop)
  return server
}

const configOf = (urls: readonly string[], url = 'http://unused.example') => ({
  ...{ LLM_OPENAI_URL: url, LLM_ANTHROPIC_URL: url, LLM_LOCAL_URLS: [...urls] },
})
const noEndpoints = {}
const listsOf = (urls: readonly string[], { url, allow = '' }: { url?: string; allow?: string } = {}) =>
  createModelLists({
    ...{ config: configOf(urls, url), endpoints: noEndpoints, keys },
    ...{ allow: parseAllowedPlaces(allow), ports: undefined },
  })

const listed = (...models: { id: string; owned_by?: string; created?: number }[]) => ({ object: 'list', data: models })

test('servers are found by their protocols and named, with the models that can talk', async () => {
  const ollama = await openOllama()
  const lmStudio = await openServer({
    '/api/tags': { error: 'Unexpected endpoint or method. (GET /api/tags)' },
    '/api/v0/models': {
      data: [
        { id: 'embedder', type: 'embeddings' },
        { id: 'qwen', type: 'llm' },
      ],
    },
    '/v1/models': listed({ id: 'embedder' }, { id: 'qwen' }),
  })
  const llama = await openServer({ '/v1/models': listed({ id: '/models/gemma.gguf', owned_by: 'llamacpp' }) })
  const vllm = await openServer({ '/v1/models': listed({ id: 'Qwen/Qwen3-8B', owned_by: 'vllm' }) })
  const other = await openServer({ '/': 'a web site' })
  const missing = `http://127.0.0.1:${await freePort()}`
  const lists = listsOf([ollama.url, lmStudio, missing, llama, vllm, other])
  // A busy machine may answer later than a server that is looked for must.
  let servers = await lists.findServers()
  while (servers.found.length < 4) servers = await lists.findServers()
  expect(servers).toEqual({
    found: [
      { name: 'Ollama', url: `${ollama.url}/v1`, models: ['qwen3:8b', 'llama3.2:3b'] },
      { name: 'LM Studio', url: `${lmStudio}/v1`, models: ['qwen'] },
      { name: 'llama.cpp', url: `${llama}/v1`, models: ['/models/gemma.gguf'] },
      { name: 'vLLM', url: `${vllm}/v1`, models: ['Qwen/Qwen3-8B'] },
    ],
    configured: [],
  })
})

test('providers of the operator are named with their models', async () => {
  const url = await openServer({ '/models': listed({ id: 'house-model' }) }, 'a-key')
  const { findServers } = createModelLists({
    ...{ config: configOf([]), keys, allow: parseAllowedPlaces(''), ports: undefined },
    endpoints: { ...noEndpoints, openai_compatible: { url, key: 'a-key' } },
  })
  expect(await findServers()).toEqual({
    found: [],
    configured: [{ provider: 'openai_compatible', models: ['house-model'] }],
  })
})

test('a server that the operator offers is called in a private network, and others are not', async () => {
  const ollama = await openOllama()
  const provider = { id, kind: 'openai_compatible', url: `${ollama.url}/v1`, sealed_key: null } as const
  expect(await listsOf([ollama.url]).listProvider(workspaceId, provider)).toMatchObject({ ok: true })
  expect(await listsOf([]).listProvider(workspaceId, provider)).toMatchObject({ ok: false, models: [] })

  const modelsOf = (urls: readonly string[]) =>
    createProviderModels({
      ...{ config: configOf(urls), keys, allow: parseAllowedPlaces(''), ports: undefined },
      telemetry: { metrics: createMetrics(), tracing: noTracing },
    })
  const allowed = await readReply(await modelsOf([ollama.url])(workspaceId, provider, 'qwen3:8b'))
  expect(allowed.texts.join('')).toBe('Good day.')
  const refused = await readReply(await modelsOf([])(workspaceId, provider, 'qwen3:8b'))
  expect(refused.error).toMatchObject({ code: 'upstream_error' })
})

test.each([
  ['openai', '/models', ['gpt-5-mini', 'gpt-5']],
  ['anthropic', '/models?limit=1000', ['gpt-5-mini', 'gpt-5']],
] as const)(
  'the models of %s that can talk are listed with its key, the quick ones first',
  async (kind, path, models) => {
    const all = ['gpt-5', 'gpt-5-mini', 'gpt-5-mini-2025-08-07', 'whisper-1', 'text-embedding-3-small', 'tts-1']
    const url = await openServer({ [path]: listed(...all.map((id) => ({ id, created: 1 }))) }, 'right')
    const provide = async (key: string) =>
      listsOf([], { url }).listProvider(workspaceId, {
        ...{ id, kind, url: null },
        sealed_key: await keys.seal({ workspaceId, providerId: id }, key),
      })
    expect(await provide('right')).toEqual({ ok: true, detail: '', models })
    expect(await provide('wrong')).toEqual({ ok: false, detail: 'The key was refused (status 401).', models: [] })
  },
)

test('a server without a list of models is accepted, and one that cannot be reached is not', async () => {
  const lists = listsOf([], { allow: '127.0.0.1' })
  const provide = (url: string) =>
    lists.listProvider(workspaceId, { id, kind: 'openai_compatible', url: `${url}/v1`, sealed_key: null })
  expect(await provide(await openServer({}))).toEqual({ ok: true, detail: '', models: [] })
  expect(await provide(`http://127.0.0.1:${await freePort()}`)).toMatchObject({ ok: false })
})
