import { ServiceError } from '@parlance/contracts'
import { type ReadSecret, StartupError } from '@parlance/runtime'
import type { Logger } from '@parlance/telemetry'
import { createBuiltinLanguageModel } from './builtin/builtin-language-model.js'
import { createFallbackLanguageModel } from './fallback-language-model.js'
import type { FindLanguageModel, LanguageModel } from './language-model.js'
import type { LanguageModelConfig, LlmProvider } from './language-model-config.js'
import type { ConnectProviders, RemoteProvider } from './remote-providers.js'

export interface LanguageModelOptions {
  readonly logger: Logger
  readonly readSecret: ReadSecret
  /** Told of each reply that the fallback gave: which provider did not. */
  onFallback?(provider: string): void
}

/** What an operator sets for a provider to be there. */
const variableOf: Readonly<Record<RemoteProvider, string>> = {
  openai: 'LLM_OPENAI_API_KEY',
  anthropic: 'LLM_ANTHROPIC_API_KEY',
  openai_compatible: 'LLM_COMPATIBLE_URL',
}

/** Models are named by whoever publishes Agents, so what is kept of them is bounded. */
const maxKeptModels = 256

type KeyVariable = 'LLM_OPENAI_API_KEY' | 'LLM_ANTHROPIC_API_KEY' | 'LLM_COMPATIBLE_API_KEY'

const readKey = (config: LanguageModelConfig, name: KeyVariable, readSecret: ReadSecret): string | undefined => {
  const file = config[`${name}_FILE`]
  if (file === undefined) return config[name]
  if (config[name] !== undefined) throw new StartupError([`${name} and ${name}_FILE are both set. Set one of them.`])
  try {
    return readSecret({ file })
  } catch (cause) {
    throw new StartupError([`${name}_FILE: ${(cause as Error).message}.`], { cause })
  }
}

const isRemote = (provider: string): provider is RemoteProvider => Object.hasOwn(variableOf, provider)

const notSetUp = (provider: string): ServiceError =>
  new ServiceError(
    'unavailable',
    isRemote(provider)
      ? `The language models of "${provider}" are not set up here. Whoever runs this installation can set ${variableOf[provider]}.`
      : `There is no provider "${provider}" of language models.`,
  )

/**
 * The models that the environment gives; `builtin` is always there. What is elsewhere is not asked until somebody speaks.
 * Rejects with `StartupError` for a key that cannot be read and for a fallback that is not set up.
 */
export const openLanguageModels = async (
  config: LanguageModelConfig,
  { logger, readSecret, onFallback }: LanguageModelOptions,
): Promise<FindLanguageModel> => {
  const endpoints = {
    openai: { url: config.LLM_OPENAI_URL, key: readKey(config, 'LLM_OPENAI_API_KEY', readSecret) },
    anthropic: { url: config.LLM_ANTHROPIC_URL, key: readKey(config, 'LLM_ANTHROPIC_API_KEY', readSecret) },
    openai_compatible: {
      url: config.LLM_COMPATIBLE_URL,
      key: readKey(config, 'LLM_COMPATIBLE_API_KEY', readSecret),
    },
  }
  const isSetUp = (provider: RemoteProvider) =>
    endpoints[provider][provider === 'openai_compatible' ? 'url' : 'key'] !== undefined

  // The SDK takes 0.2 s and 27 MB to load: an installation without an account does without it.
  const connect: ConnectProviders | undefined = Object.keys(endpoints).some((name) => isSetUp(name as RemoteProvider))
    ? (await import('./remote-providers.js')).connectProviders
    : undefined
  const remote = connect?.(endpoints)

  const builtin = createBuiltinLanguageModel({ now: () => new Date() })
  const kept = new Map<string, LanguageModel>()

  const modelOf = (provider: string, model: string): LanguageModel => {
    if (provider === 'builtin') return builtin
    if (remote === undefined || !isRemote(provider) || !isSetUp(provider)) throw notSetUp(provider)
    return remote(provider, model)
  }

  const reference = config.LLM_FALLBACK
  const fallback = reference === undefined ? undefined : fallbackModel(reference, modelOf)

  const withFallback = (provider: string, model: string): LanguageModel => {
    const main = modelOf(provider, model)
    if (fallback === undefined || main === builtin) return main
    if (provider === reference?.provider && model === reference.model) return main
    return createFallbackLanguageModel({
      model: main,
      fallback,
      onFallback(failure) {
        logger.warn(
          { implementation: provider, code: failure?.code, err: failure },
          'A fallback language model replies',
        )
        onFallback?.(provider)
      },
    })
  }

  return (provider, model) => {
    const key = `${provider}/${model}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const made = withFallback(provider, model)
    if (kept.size >= maxKeptModels) kept.delete(kept.keys().next().value as string)
    kept.set(key, made)
    return made
  }
}

const fallbackModel = (
  { provider, model }: { provider: LlmProvider; model: string },
  modelOf: FindLanguageModel,
): LanguageModel => {
  try {
    return modelOf(provider, model)
  } catch (cause) {
    throw new StartupError([`LLM_FALLBACK: ${(cause as ServiceError).detail}`], { cause })
  }
}
