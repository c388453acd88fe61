import type { CallContext, Client } from '@parlance/bus'
import {
  type AgentConfig,
  type catalogContract,
  type ErrorCode,
  findVariant,
  isProviderOfWorkspace,
  listLanguages,
  listVariants,
  llmProviders,
  matchesLanguage,
  type PublishProblem,
  type PublishWarning,
  primaryLanguage,
  ServiceError,
  spokenLanguage,
  type Voice,
} from '@parlance/contracts'
import type { KnowledgeRepository } from './knowledge/knowledge-repository.js'
import type { ProviderRepository } from './providers/provider-repository.js'
import { toolSchemaProblem } from './tool-schema.js'

interface PublishFindings {
  /** All reasons against publishing the configuration. */
  readonly problems: PublishProblem[]
  readonly warnings: PublishWarning[]
}

/** Rejects with `unavailable` when the catalog does not answer. */
export type PublishCheck = (
  workspaceId: string,
  agentId: string,
  config: AgentConfig,
  context: CallContext,
) => Promise<PublishFindings>

/** Shorter than the deadline of the callers, so that they receive an error that names the catalog. */
const catalogDeadlineMs = 2_000

interface PublishCheckOptions {
  readonly catalog: Client<typeof catalogContract>
  readonly providers: Pick<ProviderRepository, 'find'>
  readonly knowledge: Pick<KnowledgeRepository, 'statesOf'>
}

export const createPublishCheck = ({ catalog, providers, knowledge }: PublishCheckOptions): PublishCheck => {
  const providerProblem = async (workspaceId: string, name: string): Promise<string | undefined> => {
    if (isProviderOfWorkspace(name)) {
      const found = await providers.find(workspaceId, name)
      return found === undefined ? 'There is no such model provider in the workspace. Choose another one.' : undefined
    }
    if ((llmProviders as readonly string[]).includes(name)) return undefined
    return `Must be one of ${llmProviders.join(', ')}, or the id of a model provider of the workspace.`
  }

  const knowledgeWarnings = async (
    workspaceId: string,
    agentId: string,
    fileIds: readonly string[],
  ): Promise<PublishWarning[]> => {
    if (fileIds.length === 0) return []
    const files = new Map((await knowledge.statesOf(workspaceId, agentId, fileIds)).map((file) => [file.id, file]))
    return fileIds.flatMap((id, index): PublishWarning[] => {
      const field = `knowledge_files.${index}`
      const file = files.get(id)
      if (file?.status === 'ready') return []
      if (file === undefined) {
        const detail = `The Agent has no file ${id}. It is not used.`
        return [{ field, code: 'knowledge_file_not_found', detail }]
      }
      const why = file.status === 'failed' ? 'could not be indexed, so it' : 'is still being indexed. Until then it'
      return [{ field, code: 'knowledge_file_not_ready', detail: `The file "${file.name}" ${why} is not used.` }]
    })
  }

  return async (workspaceId, agentId, config, context) => {
    const options = { context, deadlineMs: catalogDeadlineMs }
    const [voice, avatar] = await Promise.all([
      unlessMissing(catalog.findVoice({ voice: config.voice_id }, options), 'voice_not_found'),
      config.avatar_id === null
        ? null
        : unlessMissing(catalog.findAvatar({ avatar_id: config.avatar_id }, options), 'avatar_not_found'),
    ])
    const problems = voiceProblems(config, voice)
    if (avatar === undefined) {
      problems.push({ field: 'avatar_id', code: 'avatar_not_found', detail: 'There is no such avatar.' })
    }
    problems.push(...publicProblems(config))
    const detail = await providerProblem(workspaceId, config.llm_provider)
    if (detail !== undefined) problems.push({ field: 'llm_provider', code: 'llm_provider_unknown', detail })
    for (const [index, tool] of config.tools.entries()) {
      const problem = 'parameters' in tool ? toolSchemaProblem(tool.parameters) : undefined
      if (problem === undefined) continue
      const field = `tools.${index}.parameters`
      problems.push({ field, code: 'tool_schema_invalid', detail: `Must be a JSON Schema, but ${problem}.` })
    }
    const ofKnowledge = await knowledgeWarnings(workspaceId, agentId, config.knowledge_files)
    return { problems, warnings: [...variantWarnings(config), ...languageWarnings(config, voice), ...ofKnowledge] }
  }
}

const unlessMissing = async <T>(found: Promise<T>, missing: ErrorCode): Promise<T | undefined> => {
  try {
    return await found
  } catch (error) {
    if (error instanceof ServiceError && error.code === missing) return undefined
    throw new ServiceError('unavailable', 'The catalog of voices and avatars cannot be reached. Try again.', {
      cause: error,
    })
  }
}

const voiceProblems = ({ voice_id, voice_config }: AgentConfig, voice: Voice | undefined): PublishProblem[] => {
  // The catalog also finds a voice by its name, and a name may look like an id.
  if (voice?.id !== voice_id) {
    return [{ field: 'voice_id', code: 'voice_not_found', detail: 'There is no such voice.' }]
  }
  const problems: PublishProblem[] = []
  const { tts_variant: variant, language } = voice_config
  if (findVariant(voice, variant) === undefined) {
    const detail = `The ${listVariants(voice)}.`
    problems.push({ field: 'voice_config.tts_variant', code: 'variant_not_found', detail })
  }
  if (spokenLanguage(voice.languages, language) === undefined) {
    const detail = `The ${listLanguages(voice)}.`
    problems.push({ field: 'voice_config.language', code: 'language_not_spoken', detail })
  }
  return problems
}

/** Visitors of a public Agent are not known, so it can remember none of them. */
const publicProblems = (config: AgentConfig): PublishProblem[] => {
  const { enabled, daily_credit } = config.session_config.public
  if (!enabled) return []
  const personal = (['memory_enabled', 'calendar_enabled'] as const).filter((field) => config[field])
  const problems = personal.map((field): PublishProblem => {
    const detail = 'Must be off while the Agent is public, since its visitors are not known.'
    return { field, code: 'not_for_public_agents', detail }
  })
  if (daily_credit !== null) return problems
  const detail = 'Is required while the Agent is public.'
  return [...problems, { field: 'session_config.public.daily_credit', code: 'daily_credit_missing', detail }]
}

const variantWarnings = ({ voice_config }: AgentConfig): PublishWarning[] => {
  if (voice_config.tts_variant !== null) return []
  const detail = 'Until one is chosen and published, no session tokens are minted for the Agent.'
  return [{ field: 'voice_config.tts_variant', code: 'variant_not_chosen', detail }]
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' })

/**
 * Such as "British English" for `en-GB`. A tag with the shape of BCP 47 alone, such as `en-a`, has no name and is returned
 * unchanged.
 */
const languageName = (tag: string): string => {
  try {
    return languageNames.of(tag) ?? tag
  } catch {
    return tag
  }
}

/** Compares languages without regions: a British voice may speak with an American user. */
const languageWarnings = ({ voice_id, stt_config }: AgentConfig, voice: Voice | undefined): PublishWarning[] => {
  const spokenByUser = primaryLanguage(stt_config.language)
  if (voice?.id !== voice_id || voice.languages.some((tag) => matchesLanguage(tag, spokenByUser))) return []
  const detail =
    `The Agent understands ${languageName(stt_config.language)}, and its voice ${voice.display_name} speaks ` +
    `${voice.languages.map(languageName).join(', ')}. Choose a voice that speaks ${languageName(spokenByUser)}.`
  return [{ field: 'stt_config.language', code: 'language_not_spoken', detail }]
}
