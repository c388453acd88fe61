import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { extractReasoningMiddleware, wrapLanguageModel } from 'ai'
import { createAiLanguageModel } from './ai-language-model.js'
import type { LanguageModel } from './language-model.js'
import type { LlmProvider } from './language-model-config.js'
import { createPooledFetch } from './pooled-fetch.js'

export type RemoteProvider = Exclude<LlmProvider, 'builtin'>

export interface Endpoint {
  readonly url: string | undefined
  readonly key: string | undefined
}

export type ConnectProviders = typeof connectProviders

/** Open models think aloud in their text, between these; it is not for speaking. */
const withoutThoughts = extractReasoningMiddleware({ tagName: 'think' })

/**
 * Models of the providers that `endpoints` reaches, over connections they share; which those are is for the caller to know.
 * Nothing is asked of a server until a reply is. Addresses are always given to the SDK: it would look for its own variables.
 */
export const connectProviders = (endpoints: Readonly<Record<RemoteProvider, Endpoint>>) => {
  const fetch = createPooledFetch()
  const settingsOf = (provider: RemoteProvider) => {
    const { url = '', key } = endpoints[provider]
    return { baseURL: url, apiKey: key ?? '', fetch }
  }
  const openai = createOpenAI(settingsOf('openai'))
  const anthropic = createAnthropic(settingsOf('anthropic'))
  const { apiKey, ...withoutKey } = settingsOf('openai_compatible')
  const compatible = createOpenAICompatible({
    ...withoutKey,
    ...(apiKey === '' ? {} : { apiKey }),
    name: 'compatible',
    includeUsage: true,
  })

  const sdkModels = {
    // What servers at other addresses have in common with OpenAI's are chat completions.
    openai: (model: string) => openai.chat(model),
    anthropic: (model: string) => anthropic(model),
    openai_compatible: (model: string) => wrapLanguageModel({ model: compatible(model), middleware: withoutThoughts }),
  }
  return (provider: RemoteProvider, model: string): LanguageModel => createAiLanguageModel(sdkModels[provider](model))
}
