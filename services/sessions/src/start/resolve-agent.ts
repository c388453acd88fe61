import type { CallContext } from '@parlance/bus'
import {
  type AgentConfig,
  draftConfigOf,
  listLanguages,
  type RealtimeTool,
  ServiceError,
  type SessionGrant,
  type SessionOverrides,
  type SessionRequest,
  type StartedSession,
  spokenLanguage,
  timeZoneSchema,
  type Voice,
} from '@parlance/contracts'
import type { LanguageModel } from '../llm/language-model.js'
import { createFindAgentModel } from '../llm/provider-models.js'
import { personalConfig } from './personal-config.js'
import type { SessionServices } from './session-services.js'

/** An Agent with its config for one user. */
export interface ResolvedAgent {
  readonly config: AgentConfig
  /** The publication, or the revision of a draft. */
  readonly publication: StartedSession['publication']
  /** Whether the first message contains values of this user. */
  readonly greetsPersonally: boolean
  /** Of the user: an IANA name. */
  readonly timeZone: string
  readonly model: LanguageModel
  /** A BCP 47 tag. */
  readonly voiceLanguage: string
  readonly avatar: StartedSession['avatar']
}

/** The time zone in the token's variable `time_zone`, else that of the client, else UTC. */
const timeZoneOf = ({ variables }: SessionGrant, clientTimeZone: string | undefined): string =>
  timeZoneSchema.safeParse(variables.time_zone).data ?? timeZoneSchema.safeParse(clientTimeZone).data ?? 'UTC'

/** Throws `invalid_request` for an override that the Agent does not allow. */
const withOverrides = (config: AgentConfig, overrides: SessionOverrides, grant: SessionGrant): AgentConfig => {
  for (const name of Object.keys(overrides) as (keyof SessionOverrides)[]) {
    if (grant.public) {
      throw new ServiceError('invalid_request', `overrides.${name}: a public conversation cannot have overrides.`)
    }
    if (config.session_config.overrides.includes(name)) continue
    throw new ServiceError(
      'invalid_request',
      `overrides.${name}: the Agent does not allow it. Add "${name}" to its session_config.overrides and publish it.`,
    )
  }
  const { system_prompt, first_message, voice_id, voice_config, stt_config } = config
  const { language } = overrides
  return {
    ...config,
    system_prompt: overrides.system_prompt ?? system_prompt,
    first_message: overrides.first_message === undefined ? first_message : overrides.first_message,
    voice_id: overrides.voice_id ?? voice_id,
    voice_config: { ...voice_config, language: language ?? voice_config.language },
    stt_config: { ...stt_config, language: language ?? stt_config.language },
  }
}

const clientToolMs = 60_000

/**
 * The config with the client tools that the client has. A client that may replace the prompt may bring tools of its own. Throws
 * `invalid_request` for others.
 */
const withClientTools = (config: AgentConfig, tools: readonly RealtimeTool[]): AgentConfig => {
  const mayAdd = config.session_config.overrides.includes('system_prompt')
  const chosen = tools.map(({ name, description, parameters }) => {
    const known = config.tools.find((tool) => tool.name === name)
    if (known?.type === 'client') return known
    if (mayAdd && known === undefined) {
      return { type: 'client' as const, name, description, parameters, timeout_ms: clientToolMs }
    }
    throw new ServiceError(
      'invalid_request',
      `session.tools: "${name.slice(0, 64)}" is not a client tool of the Agent. An Agent with "system_prompt" in its session_config.overrides accepts tools of the client.`,
    )
  })
  return { ...config, tools: [...config.tools.filter(({ type }) => type !== 'client'), ...chosen] }
}

/** The voice's own tag for its language. Throws `invalid_request` where overrides have chosen a language that it does not speak. */
const voiceLanguageOf = ({ voice_config }: AgentConfig, voice: Voice, overrides: SessionOverrides): string => {
  const isChosen = overrides.language !== undefined || overrides.voice_id !== undefined
  if (isChosen && spokenLanguage(voice.languages, voice_config.language) === undefined) {
    throw new ServiceError('invalid_request', `overrides.language: the ${listLanguages(voice)}.`)
  }
  return voice_config.language ?? voice.languages[0]!
}

/** What a client asks for. */
interface ClientRequest extends Pick<SessionRequest, 'client' | 'overrides'> {
  /** The tools that the client has, where it says so: of those of the Agent only these are its tools then. */
  readonly clientTools?: readonly RealtimeTool[] | undefined
}

export type ResolveAgent = ReturnType<typeof createResolveAgent>

export const createResolveAgent = (services: SessionServices) => {
  const { agents, catalog, priceOf, logger } = services
  const findAgentModel = createFindAgentModel({ ...services, ...services.parts })

  /** A conversation continues without its avatar. */
  const findAvatar = async (avatarId: string | null, context: CallContext) =>
    avatarId === null ? null : catalog.findAvatar({ avatar_id: avatarId }, { context }).catch(() => null)

  const findRevision = async ({ workspace_id, agent_id, draft }: SessionGrant, context: CallContext) => {
    if (draft === undefined) return agents.getPublished({ workspace_id, agent_id }, { context })
    const agent = await agents.getAgent({ workspace_id, agent_id }, { context })
    return { publication: agent.draft_revision, config: draftConfigOf(agent) }
  }

  /**
   * Rejects with `agent_not_found`, `agent_not_api_ready`, `invalid_request` for an override that is not allowed or not possible,
   * or what the catalog rejects with for the voice.
   */
  return async (
    grant: SessionGrant,
    { client, overrides, clientTools }: ClientRequest,
    context: CallContext,
  ): Promise<ResolvedAgent> => {
    const { workspace_id, agent_id } = grant
    const revision = await findRevision(grant, context)
    const timeZone = timeZoneOf(grant, client?.time_zone)
    const ownConfig = withOverrides(revision.config, overrides, grant)
    const overridden = clientTools === undefined ? ownConfig : withClientTools(ownConfig, clientTools)
    const { config, greetsPersonally, unknown } = personalConfig(overridden, grant, timeZone, new Date())
    if (unknown.length > 0) {
      const fields = { requestId: context.requestId, agentId: agent_id, count: unknown.length }
      logger.warn(fields, 'The texts of an Agent name variables that the session token does not have')
    }
    const { voice_id: voice, voice_config, avatar_id } = config
    if (voice_config.tts_variant === null) {
      throw new ServiceError(
        'agent_not_api_ready',
        'Choose a TTS variant in the voice_config of the Agent and publish it.',
      )
    }
    const [model, { voice: found }, avatar] = await Promise.all([
      findAgentModel(workspace_id, config, context),
      priceOf({ voice, variant: voice_config.tts_variant }, context),
      findAvatar(avatar_id, context),
    ])
    const { id, version } = revision.publication
    return {
      config,
      publication: { id, version },
      greetsPersonally: greetsPersonally || overrides.first_message !== undefined,
      timeZone,
      model,
      voiceLanguage: voiceLanguageOf(config, found, overrides),
      avatar,
    }
  }
}
