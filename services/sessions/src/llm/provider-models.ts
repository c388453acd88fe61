/** The providers that workspaces have added, with keys of their own and at addresses that they chose. */

import type { CallContext, Client } from '@parlance/bus'
import type { ModelKeys } from '@parlance/clients/model-keys'
import {
  type AgentConfig,
  isProviderOfWorkspace,
  type modelProvidersContract,
  type SealedModelProvider,
  ServiceError,
} from '@parlance/contracts'
import { createEgressGuard, type EgressGuardOptions } from '@parlance/egress'
import type { FindLanguageModel, LanguageModel } from './language-model.js'
import { type Endpoint, type ProviderAddresses, urlOf } from './language-model-config.js'
import { type LanguageModelTelemetry, observeLanguageModel } from './observed-language-model.js'
import { createPooledFetch } from './pooled-fetch.js'

export interface ProviderAccessOptions extends Pick<EgressGuardOptions, 'allow' | 'ports'> {
  readonly config: ProviderAddresses
  readonly keys: Pick<ModelKeys, 'open'>
}

/** Whether an address is one of the servers that the operator offers to all workspaces. */
const isLocalServer = ({ LLM_LOCAL_URLS }: ProviderAddresses, url: string): boolean =>
  URL.canParse(url) && LLM_LOCAL_URLS.some((address) => new URL(address).origin === new URL(url).origin)

/** Returns how a provider of a workspace is reached. Rejects with `unavailable` when its key cannot be read here. */
export const createProviderAccess = ({ config, keys, allow, ports }: ProviderAccessOptions) => {
  const [fetch, guardedFetch] = [createPooledFetch(), createPooledFetch(createEgressGuard({ allow, ports }))]

  return async (
    workspaceId: string,
    { id, kind, url, sealed_key }: SealedModelProvider,
  ): Promise<{ readonly endpoint: Endpoint; readonly fetch: typeof globalThis.fetch }> => {
    const key = sealed_key === null ? {} : { key: await keys.open({ workspaceId, providerId: id }, sealed_key) }
    // An address of the operator is trusted; one of the workspace is not, unless the operator offers it.
    const isOwn = kind === 'openai_compatible'
    const address = ((isOwn ? url : urlOf(config, kind)) ?? '').replace(/\/+$/, '')
    return {
      endpoint: { url: address, ...key },
      fetch: isOwn && !isLocalServer(config, address) ? guardedFetch : fetch,
    }
  }
}

/** Opens a model of a provider of a workspace. Rejects with `unavailable` when its key cannot be read here. */
export type OpenProviderModel = (
  workspaceId: string,
  provider: SealedModelProvider,
  model: string,
) => Promise<LanguageModel>

export const createProviderModels = (
  options: ProviderAccessOptions & { readonly telemetry: LanguageModelTelemetry },
): OpenProviderModel => {
  const access = createProviderAccess(options)
  return async (workspaceId, provider, model) => {
    const { endpoint, fetch } = await access(workspaceId, provider)
    // The SDK is loaded when it is first needed: see `open-language-models.ts`.
    const { createRemoteProvider } = await import('./ai-language-model.js')
    const modelOf = await createRemoteProvider(provider.kind, endpoint, fetch)
    return observeLanguageModel(modelOf(model), { provider: provider.kind, model }, options.telemetry)
  }
}

interface FindAgentModelOptions {
  readonly modelProviders: Pick<Client<typeof modelProvidersContract>, 'getSealedProvider'>
  /** Models of the environment. */
  readonly findLanguageModel: FindLanguageModel
  readonly openProviderModel: OpenProviderModel
}

/** The language model of an Agent. Rejects with `unavailable` when there is none. */
export type FindAgentModel = (
  workspaceId: string,
  config: Pick<AgentConfig, 'llm_provider' | 'llm_model'>,
  context: CallContext,
) => Promise<LanguageModel>

const asUnavailable = (error: unknown): never => {
  const isMissing = error instanceof ServiceError && error.code === 'not_found'
  if (!isMissing) throw error
  const detail = 'The workspace has no such model provider. It may have been deleted. Choose another one for the Agent.'
  throw new ServiceError('unavailable', detail, { cause: error })
}

/** Finds models of the environment, and of the providers of the Agent's own workspace. */
export const createFindAgentModel = (options: FindAgentModelOptions): FindAgentModel => {
  const { modelProviders, findLanguageModel, openProviderModel } = options
  return async (workspaceId, { llm_provider, llm_model }, context) => {
    if (!isProviderOfWorkspace(llm_provider)) return findLanguageModel(llm_provider, llm_model)
    const address = { workspace_id: workspaceId, provider_id: llm_provider }
    const provider = await modelProviders.getSealedProvider(address, { context }).catch(asUnavailable)
    return openProviderModel(workspaceId, provider, llm_model)
  }
}
