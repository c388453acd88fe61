import { randomUUID } from 'node:crypto'
import { type SealedModelProvider, ServiceError } from '@parlance/contracts'
import type { LanguageModel } from '../../src/llm/language-model.js'
import { createFindAgentModel } from '../../src/llm/provider-models.js'

const modelNamed = () => ({ reply: async function* () {} }) as LanguageModel
const [ofEnvironment, ofWorkspace] = [modelNamed(), modelNamed()]
const [workspaceId, id] = [randomUUID(), randomUUID()]
const provider: SealedModelProvider = { id, kind: 'openai', url: null, sealed_key: 'sealed' }
const context = { requestId: 'r' }

/** What was opened is in `opened`. */
const openScene = () => {
  const opened: unknown[] = []
  const find = createFindAgentModel({
    modelProviders: {
      async getSealedProvider({ workspace_id, provider_id }) {
        if (workspace_id === workspaceId && provider_id === id) return provider
        throw new ServiceError('not_found', 'There is no such model provider.')
      },
    },
    findLanguageModel(...names) {
      opened.push(names)
      return ofEnvironment
    },
    async openProviderModel(...given) {
      opened.push(given)
      return ofWorkspace
    },
  })
  return { find, opened }
}

test('an Agent that names a provider of the environment gets a model of it', async () => {
  const { find, opened } = openScene()
  expect(await find(workspaceId, { llm_provider: 'openai', llm_model: 'large' }, context)).toBe(ofEnvironment)
  expect(opened).toEqual([['openai', 'large']])
})

test('an Agent that names a provider of its workspace gets a model of it', async () => {
  const { find, opened } = openScene()
  expect(await find(workspaceId, { llm_provider: id, llm_model: 'large' }, context)).toBe(ofWorkspace)
  expect(opened).toEqual([[workspaceId, provider, 'large']])
})

test('a provider of another workspace, or a deleted one, is unavailable, and the reason is named', async () => {
  const { find, opened } = openScene()
  const refused = { code: 'unavailable', detail: expect.stringContaining('no such model provider') }
  const config = { llm_provider: id, llm_model: 'large' }
  await expect(find(randomUUID(), config, context)).rejects.toMatchObject(refused)
  await expect(find(workspaceId, { ...config, llm_provider: randomUUID() }, context)).rejects.toMatchObject(refused)
  expect(opened).toEqual([])
})
