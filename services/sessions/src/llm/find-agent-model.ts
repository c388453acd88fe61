import type { CallContext, Client } from '@parlance/bus'
import { type AgentConfig, isProviderOfWorkspace, type modelProvidersContract, ServiceError } from '@parlance/contracts'
import type { FindLanguageModel, LanguageModel } from './language-model.js'
import type { OpenProviderModel } from './provider-models.js'

export interface FindAgentModelOptions {
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
