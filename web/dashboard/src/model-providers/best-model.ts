import { fetchApi } from '../api/api.js'

interface AgentModel {
  readonly llm_provider: string
  readonly llm_model: string
}

/** A demonstration that replies without a model. */
const builtinRules: AgentModel = { llm_provider: 'builtin', llm_model: 'rules' }

/**
 * The model that a new Agent begins with: of the newest provider of the workspace that lists one, else of a provider that the
 * operator has set up, else the built-in rules.
 */
export const findBestModel = async (): Promise<AgentModel> => {
  const { data } = await fetchApi.GET('/dashboard/api/providers')
  for (const { id } of data!.providers.toReversed()) {
    const listed = await fetchApi.GET('/dashboard/api/providers/{providerId}/models', {
      params: { path: { providerId: id } },
    })
    const [model] = listed.data!.models
    if (model !== undefined) return { llm_provider: id, llm_model: model }
  }
  const { data: servers } = await fetchApi.GET('/dashboard/api/model-servers')
  const configured = servers!.configured.find(({ models }) => models.length > 0)
  return configured === undefined
    ? builtinRules
    : { llm_provider: configured.provider, llm_model: configured.models[0]! }
}
