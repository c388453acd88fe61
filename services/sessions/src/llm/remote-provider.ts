import type { RemoteLlmProvider } from '@parlance/contracts'
import { createAiLanguageModel } from './ai-language-model.js'
import type { LanguageModel } from './language-model.js'
import { remoteProviders } from './language-model-config.js'
import { createPooledFetch } from './pooled-fetch.js'

export interface Endpoint {
  readonly url: string
  /** Required except for compatible servers. */
  readonly key?: string
}

/** The models of one provider by name, over the connections of `fetch`. No request is sent before the first reply. */
export const createRemoteProvider = async (
  provider: RemoteLlmProvider,
  { url, key }: Endpoint,
  fetch = createPooledFetch(),
): Promise<(model: string) => LanguageModel> => {
  const apiKey = key === undefined ? {} : { apiKey: key }
  const modelOf = await remoteProviders[provider].load({ baseURL: url, ...apiKey, fetch })
  return (model) => createAiLanguageModel(modelOf(model))
}
