/** Models of the providers that workspaces have added, with their own keys and at addresses that they chose. */
import type { ModelKeys } from '@parlance/clients/model-keys'
import type { ModelProviderKind, SealedModelProvider } from '@parlance/contracts'
import { createEgressGuard, type EgressGuardOptions } from '@parlance/egress'
import type { LanguageModel } from './language-model.js'
import type { LanguageModelConfig } from './language-model-config.js'
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
  readonly config: Pick<LanguageModelConfig, 'LLM_OPENAI_URL' | 'LLM_ANTHROPIC_URL' | 'LLM_LOCAL_URLS'>
  readonly keys: Pick<ModelKeys, 'open'>
  readonly telemetry: LanguageModelTelemetry
}

export const createProviderModels = (options: ProviderModelsOptions): OpenProviderModel => {
  const { config, keys, telemetry, allow, ports } = options
  /** Addresses of the operator. */
  const urls: Readonly<Record<Exclude<ModelProviderKind, 'openai_compatible'>, string>> = {
    openai: config.LLM_OPENAI_URL,
    anthropic: config.LLM_ANTHROPIC_URL,
  }
  const [fetch, guardedFetch] = [createPooledFetch(), createPooledFetch(createEgressGuard({ allow, ports }))]

  return async (workspaceId, { id, kind, url, sealed_key }, model) => {
    const key = sealed_key === null ? {} : { key: await keys.open({ workspaceId, providerId: id }, sealed_key) }
    // The SDK is loaded when it is first needed: see `open-language-models.ts`.
    const { createRemoteProvider } = await import('./remote-provider.js')
    const modelOf =
      kind === 'openai_compatible'
        ? createRemoteProvider(
            kind,
            { url: (url ?? '').replace(/\/+$/, ''), ...key },
            isLocalServer(config, url ?? '') ? fetch : guardedFetch,
          )
        : createRemoteProvider(kind, { url: urls[kind], ...key }, fetch)
    return observeLanguageModel(modelOf(model), { provider: kind, model }, telemetry)
  }
}
