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
  /** Required except for compatible servers: without a key the SDK would read an environment variable of its own. */
  readonly key?: string
}

interface SdkSettings {
  readonly baseURL: string
  readonly apiKey?: string
  readonly fetch: typeof globalThis.fetch
}

const sdkModels: Readonly<Record<RemoteProvider, (settings: SdkSettings) => (model: string) => SdkModel>> = {
  // Chat completions, which other servers with OpenAI's interface implement too.
  openai: (settings) => createOpenAI(settings).chat,
  anthropic: (settings) => createAnthropic(settings).languageModel,
  openai_compatible: (settings) =>
    createOpenAICompatible({ ...settings, name: 'compatible', includeUsage: true }).chatModel,
}

/** The models of one provider by name, over the connections of `fetch`. No request is sent before the first reply. */
export const createRemoteProvider = (
  provider: RemoteProvider,
  { url, key }: Endpoint,
  fetch = createPooledFetch(),
): ((model: string) => LanguageModel) => {
  const apiKey = key === undefined ? {} : { apiKey: key }
  const modelOf = sdkModels[provider]({ baseURL: url, ...apiKey, fetch })
  return (model) => createAiLanguageModel(modelOf(model))
}
