import { randomUUID } from 'node:crypto'
import type { Client, Handlers } from '@parlance/bus'
import type { ModelKeys } from '@parlance/clients/model-keys'
import type { languageModelsContract, modelProvidersContract } from '@parlance/contracts'
import type { ProviderRepository } from './provider-repository.js'

interface ProviderHandlersOptions {
  readonly providers: ProviderRepository
  readonly keys: Pick<ModelKeys, 'seal'>
  readonly models: Pick<Client<typeof languageModelsContract>, 'findServers' | 'listModels' | 'tryProvider'>
}

const providerNotFound = 'There is no such model provider.'

export const createProviderHandlers = (options: ProviderHandlersOptions): Handlers<typeof modelProvidersContract> => {
  const { providers, keys, models } = options

  return {
    listProviders: async ({ workspace_id }) => ({ providers: await providers.list(workspace_id) }),

    async createProvider({ workspace_id, provider: { kind, name, url = null, key }, actor }, { fail, context }) {
      const id = randomUUID()
      const sealed_key = key === undefined ? null : await keys.seal({ workspaceId: workspace_id, providerId: id }, key)
      const provider = { id, kind, url, sealed_key }
      const { ok, detail } = await models.listModels({ workspace_id, provider }, { context })
      if (!ok) return fail('invalid_request', detail)
      return providers.add(workspace_id, { ...provider, name }, actor)
    },

    getSealedProvider: async ({ workspace_id, provider_id }, { fail }) =>
      (await providers.find(workspace_id, provider_id)) ?? fail('not_found', providerNotFound),

    async testProvider({ workspace_id, provider_id, model }, { fail, context }) {
      const provider = await providers.find(workspace_id, provider_id)
      if (provider === undefined) return fail('not_found', providerNotFound)
      return models.tryProvider({ workspace_id, provider, model }, { context })
    },

    async listProviderModels({ workspace_id, provider_id }, { fail, context }) {
      const provider = await providers.find(workspace_id, provider_id)
      if (provider === undefined) return fail('not_found', providerNotFound)
      return models.listModels({ workspace_id, provider }, { context })
    },

    findModelServers: (_request, { context }) => models.findServers({}, { context }),

    async deleteProvider({ workspace_id, provider_id, actor }, { fail }) {
      const isRemoved = await providers.remove(workspace_id, provider_id, actor)
      return isRemoved ? {} : fail('not_found', providerNotFound)
    },
  }
}
