import { type ModelProvider, type ModelServers, modelProvidersContract } from '@parlance/contracts'
import { fakeHandlers } from '@parlance/testing'

export const modelProvider: ModelProvider = {
  id: '3b0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d',
  kind: 'openai_compatible',
  name: 'Our server',
  url: 'https://models.example.com/v1',
  has_key: true,
  created_at: '2026-01-31T09:30:00.000Z',
}

export const modelServers: ModelServers = {
  found: [{ name: 'Ollama', url: 'http://127.0.0.1:11434/v1', models: ['qwen3:8b'] }],
  configured: [{ provider: 'anthropic', models: [] }],
}

/** A workspace with one model provider. The last request of each method is in `requests`. */
export const createFakeModelProviders = () => {
  const requests: Partial<Record<string, object>> = {}
  const handlers = fakeHandlers(modelProvidersContract, {
    listProviders: () => ({ providers: [modelProvider] }),
    createProvider(request) {
      requests.createProvider = request
      return modelProvider
    },
    testProvider(request, { fail }) {
      requests.testProvider = request
      return request.provider_id === modelProvider.id
        ? { ok: true, detail: '', first_text_ms: 120 }
        : fail('not_found', 'There is no such model provider.')
    },
    listProviderModels: ({ provider_id }, { fail }) =>
      provider_id === modelProvider.id
        ? { ok: true, detail: '', models: ['small', 'large'] }
        : fail('not_found', 'There is no such model provider.'),
    findModelServers: () => modelServers,
    deleteProvider(request) {
      requests.deleteProvider = request
      return {}
    },
  })
  return { handlers, requests }
}
