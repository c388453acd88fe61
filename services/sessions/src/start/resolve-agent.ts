import type { CallContext, Client } from '@parlance/bus'
import type { VoicePrices } from '@parlance/clients/speech'
import {
  type AgentConfig,
  type agentsContract,
  type catalogContract,
  draftConfigOf,
  listLanguages,
  ServiceError,
  type SessionGrant,
  type SessionOverrides,
  type SessionRequest,
  type StartedSession,
  spokenLanguage,
  timeZoneSchema,
  type Voice,
} from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import { createFindAgentModel, type FindAgentModelOptions } from '../llm/find-agent-model.js'
import type { LanguageModel } from '../llm/language-model.js'
import { personalConfig } from './personal-config.js'

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

export interface ResolveAgentOptions extends FindAgentModelOptions {
  readonly agents: Pick<Client<typeof agentsContract>, 'getPublished' | 'getAgent'>
  readonly catalog: Pick<Client<typeof catalogContract>, 'findAvatar'>
  readonly priceOf: VoicePrices
  readonly logger: Logger
}

/**
 * Rejects with `agent_not_found`, `agent_not_api_ready`, `invalid_request` for an override that is not allowed or not possible, or
 * what the catalog rejects with for the voice.
 */
export type ResolveAgent = (
  grant: SessionGrant,
  /** As the client sends it. */
  request: Pick<SessionRequest, 'client' | 'overrides'>,
  context: CallContext,
) => Promise<ResolvedAgent>

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

/** The voice's own tag for its language. Throws `invalid_request` where overrides have chosen a language that it does not speak. */
const voiceLanguageOf = ({ voice_config }: AgentConfig, voice: Voice, overrides: SessionOverrides): string => {
  const isChosen = overrides.language !== undefined || overrides.voice_id !== undefined
  if (isChosen && spokenLanguage(voice.languages, voice_config.language) === undefined) {
    throw new ServiceError('invalid_request', `overrides.language: the ${listLanguages(voice)}.`)
  }
  return voice_config.language ?? voice.languages[0]!
}

export const createResolveAgent = (options: ResolveAgentOptions): ResolveAgent => {
  const { agents, catalog, priceOf, logger } = options
  const findAgentModel = createFindAgentModel(options)

  /** A conversation continues without its avatar. */
  const findAvatar = async (avatarId: string | null, context: CallContext) =>
    avatarId === null ? null : catalog.findAvatar({ avatar_id: avatarId }, { context }).catch(() => null)

  const findRevision = async ({ workspace_id, agent_id, draft }: SessionGrant, context: CallContext) => {
    if (draft === undefined) return agents.getPublished({ workspace_id, agent_id }, { context })
    const agent = await agents.getAgent({ workspace_id, agent_id }, { context })
    return { publication: agent.draft_revision, config: draftConfigOf(agent) }
  }

  return async (grant, { client, overrides }, context) => {
    const { workspace_id, agent_id } = grant
    const revision = await findRevision(grant, context)
    const timeZone = timeZoneOf(grant, client?.time_zone)
    const overridden = withOverrides(revision.config, overrides, grant)
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
