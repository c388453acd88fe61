import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { fetchApi } from '../api/api.js'
import { type Problem, problemOf } from '../api/problem.js'
import type { components } from '../api/schema.js'
import { findVoice } from '../voices/voice-queries.js'
import type { AgentTemplate } from './templates.js'

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
const findBestModel = async (): Promise<AgentModel> => {
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

type NewAgent = components['schemas']['AgentConfig']

const noVoice: Problem = {
  code: 'voice_not_found',
  detail: 'No English voice is available now. Check the speech engines of this installation, then try again.',
  retryable: true,
}

const numberedSlugs = 3
const maxSlugs = 6

/** A short number, and after many Agents from the same template random letters. */
const suffixOf = (number: number): string =>
  number <= numberedSlugs ? String(number) : Math.random().toString(36).slice(2, 8)

/**
 * Creates the Agent under the slug of the template, or else under `front-desk-2`, `front-desk-3` or one such as
 * `front-desk-x4k2qz`.
 */
const createUnderFreeSlug = async (config: NewAgent, number = 1) => {
  const slug = number === 1 ? config.slug : `${config.slug}-${suffixOf(number)}`
  try {
    const { data } = await fetchApi.POST('/dashboard/api/v1/agents', { params: {}, body: { ...config, slug } })
    return data!
  } catch (error) {
    if (problemOf(error).code !== 'slug_taken' || number >= maxSlugs) throw error
    return createUnderFreeSlug(config, number + 1)
  }
}

/** Creates an Agent from a template, with the best voice and the best language model, and opens its editor. */
export const useCreateAgent = () => {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async ({ title, summary, config }: AgentTemplate) => {
      const [voice, model] = await Promise.all([findVoice(fetchApi, 'en'), findBestModel()])
      if (voice === undefined) throw noVoice
      const voice_config = { ...config.voice_config, tts_variant: voice.variants[0]?.id ?? null }
      const words = { display_name: title, description: summary }
      return createUnderFreeSlug({ ...words, ...model, ...config, voice_id: voice.id, voice_config })
    },
    onSuccess: ({ id }) => navigate({ to: '/agents/$agentId', params: { agentId: id } }),
  })
}
