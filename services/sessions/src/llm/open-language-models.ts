import { type RemoteLlmProvider, remoteLlmProviderNames, ServiceError } from '@parlance/contracts'
import { type ReadSecret, readKeySetting, StartupError } from '@parlance/runtime'
import type { Logger } from '@parlance/telemetry'
import { builtinLanguageModel } from './builtin/builtin-language-model.js'
import { createFallbackLanguageModel } from './fallback-language-model.js'
import type { FindLanguageModel, LanguageModel } from './language-model.js'
import { type Endpoint, type LanguageModelConfig, remoteProviders, urlOf } from './language-model-config.js'
import { type LanguageModelTelemetry, observeLanguageModel } from './observed-language-model.js'

interface LanguageModelOptions {
  readonly logger: Logger
  readonly telemetry: LanguageModelTelemetry
  readonly readSecret: ReadSecret
}

type Endpoints = Readonly<Partial<Record<RemoteLlmProvider, Endpoint>>>

const isRemote = (provider: string): provider is RemoteLlmProvider => Object.hasOwn(remoteProviders, provider)

/** The variable that sets up a provider: its key, or its URL when it has no default. */
const variableOf = (provider: RemoteLlmProvider): string => {
  const { prefix, defaultUrl } = remoteProviders[provider]
  return defaultUrl === undefined ? `${prefix}_URL` : `${prefix}_API_KEY`
}

/** The names of models come from workspaces, so the number of models in memory is limited. */
const maxKeptModels = 256

export const endpointsOf = (config: LanguageModelConfig, readSecret: ReadSecret): Endpoints =>
  Object.fromEntries(
    remoteLlmProviderNames.flatMap((provider) => {
      const { prefix, defaultUrl } = remoteProviders[provider]
      const key = readKeySetting(config as Record<string, string | undefined>, `${prefix}_API_KEY`, readSecret)
      const url = urlOf(config, provider)
      const isSetUp = url !== undefined && (defaultUrl === undefined || key !== undefined)
      return isSetUp ? [[provider, { url, ...(key !== undefined && { key }) }]] : []
    }),
  )

/** The module loads the SDK: it is imported only when a provider is set up. */
const connect = async (endpoints: Endpoints) => {
  const providers = new Map<string, (model: string) => LanguageModel>()
  for (const [provider, endpoint] of Object.entries(endpoints)) {
    const { createRemoteProvider } = await import('./ai-language-model.js')
    providers.set(provider, await createRemoteProvider(provider as RemoteLlmProvider, endpoint))
  }
  return providers
}

const notSetUp = (provider: string): ServiceError =>
  new ServiceError(
    'unavailable',
    isRemote(provider)
      ? `The language models of "${provider}" are not set up here. The operator of this installation can set ${variableOf(provider)}.`
      : `There is no provider "${provider}" of language models.`,
  )

/**
 * The models that the environment sets up, and `builtin`. No request is sent before the first reply. Rejects with
 * `StartupError` for a key that cannot be read or sent, and for a fallback that is not set up.
 */
export const openLanguageModels = async (
  config: LanguageModelConfig,
  { logger, telemetry, readSecret }: LanguageModelOptions,
): Promise<FindLanguageModel> => {
  const providers = await connect(endpointsOf(config, readSecret))
  providers.set('builtin', () => builtinLanguageModel)

  const modelOf: FindLanguageModel = (provider, model) => {
    const models = providers.get(provider)
    if (models === undefined) throw notSetUp(provider)
    return observeLanguageModel(models(model), { provider, model }, telemetry)
  }

  const openFallback = (): LanguageModel | undefined => {
    if (config.LLM_FALLBACK === undefined) return undefined
    try {
      return modelOf(config.LLM_FALLBACK.provider, config.LLM_FALLBACK.model)
    } catch (cause) {
      throw new StartupError([`LLM_FALLBACK: ${(cause as ServiceError).detail}`], { cause })
    }
  }
  const fallback = openFallback()

  const open: FindLanguageModel = (provider, name) => {
    const model = modelOf(provider, name)
    const isFallback = provider === config.LLM_FALLBACK?.provider && name === config.LLM_FALLBACK.model
    if (fallback === undefined || isFallback || provider === 'builtin') return model
    return createFallbackLanguageModel({
      model,
      fallback,
      onFailure(failure) {
        const fields = { implementation: provider, code: failure.code, err: failure }
        logger.warn(fields, 'The fallback replies for a model that failed')
      },
    })
  }

  const kept = new Map<string, LanguageModel>()
  return (provider, name) => {
    const key = `${provider}/${name}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const model = open(provider, name)
    const [oldest] = kept.keys()
    if (kept.size >= maxKeptModels && oldest !== undefined) kept.delete(oldest)
    kept.set(key, model)
    return model
  }
}
