import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createAiLanguageModel } from './ai-language-model.js'
import type { LanguageModel } from './language-model.js'
import type { LlmProvider } from './language-model-config.js'
import { createPooledFetch } from './pooled-fetch.js'
import type { SdkModel } from './sdk-call.js'

export type RemoteProvider = Exclude<LlmProvider, 'builtin'>

export interface Endpoint {
  readonly url: string
  /** Only a compatible server may ask for none: for the others the SDK would look for a variable of its own. */
  readonly key?: string
}

interface SdkSettings {
  readonly baseURL: string
  readonly apiKey?: string
  readonly fetch: typeof globalThis.fetch
}

const sdkModels: Readonly<Record<RemoteProvider, (settings: SdkSettings) => (model: string) => SdkModel>> = {
  // Chat completions, as that is what servers at other addresses have in common with OpenAI's.
  openai: (settings) => createOpenAI(settings).chat,
  anthropic: (settings) => createAnthropic(settings).languageModel,
  openai_compatible: (settings) =>
    createOpenAICompatible({ ...settings, name: 'compatible', includeUsage: true }).chatModel,
}

/** The models of one provider by their names, over connections that they share. Asks nothing of the server until a reply is. */
export const createRemoteProvider = (
  provider: RemoteProvider,
  { url, key }: Endpoint,
): ((model: string) => LanguageModel) => {
  const apiKey = key === undefined ? {} : { apiKey: key }
  const modelOf = sdkModels[provider]({ baseURL: url, ...apiKey, fetch: createPooledFetch() })
  return (model) => createAiLanguageModel(modelOf(model))
}
