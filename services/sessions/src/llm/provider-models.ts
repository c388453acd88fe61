/** Models of the providers that workspaces have added, with their own keys and at addresses that they chose. */
import type { ModelKeys } from '@parlance/clients/model-keys'
import type { SealedModelProvider } from '@parlance/contracts'
import { createEgressGuard, type EgressGuardOptions } from '@parlance/egress'
import type { LanguageModel } from './language-model.js'
import { type ProviderAddresses, urlOf } from './language-model-config.js'
import { isLocalServer } from './model-lists.js'
import { type LanguageModelTelemetry, observeLanguageModel } from './observed-language-model.js'
import { createPooledFetch } from './pooled-fetch.js'

/** A model of a provider of a workspace. Rejects with `unavailable` when its key cannot be read here. */
export type OpenProviderModel = (
  workspaceId: string,
  provider: SealedModelProvider,
  model: string,
) => Promise<LanguageModel>

export interface ProviderModelsOptions extends Pick<EgressGuardOptions, 'allow' | 'ports'> {
  readonly config: ProviderAddresses
  readonly keys: Pick<ModelKeys, 'open'>
  readonly telemetry: LanguageModelTelemetry
}

export const createProviderModels = (options: ProviderModelsOptions): OpenProviderModel => {
  const { config, keys, telemetry, allow, ports } = options
  const [fetch, guardedFetch] = [createPooledFetch(), createPooledFetch(createEgressGuard({ allow, ports }))]

  return async (workspaceId, { id, kind, url, sealed_key }, model) => {
    const key = sealed_key === null ? {} : { key: await keys.open({ workspaceId, providerId: id }, sealed_key) }
    // The SDK is loaded when it is first needed: see `open-language-models.ts`.
    const { createRemoteProvider } = await import('./remote-provider.js')
    // An address of the operator is trusted; one of the workspace is not, unless the operator offers it.
    const isOwn = kind === 'openai_compatible'
    const address = (isOwn ? url : urlOf(config, kind)) ?? ''
    const modelOf = await createRemoteProvider(
      kind,
      { url: address.replace(/\/+$/, ''), ...key },
      isOwn && !isLocalServer(config, address) ? guardedFetch : fetch,
    )
    return observeLanguageModel(modelOf(model), { provider: kind, model }, telemetry)
  }
}
