import type { CallContext, Client } from '@parlance/bus'
import type { VoicePrices } from '@parlance/clients/speech'
import {
  type AgentConfig,
  type agentsContract,
  type catalogContract,
  draftConfigOf,
  ServiceError,
  type SessionGrant,
  type StartedSession,
  timeZoneSchema,
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
  readonly agents: Pick<Client<typeof agentsContract>, 'getPublished' | 'getAgent' | 'listAgents'>
  readonly catalog: Pick<Client<typeof catalogContract>, 'findAvatar'>
  readonly priceOf: VoicePrices
  readonly logger: Logger
}

/** Rejects with `agent_not_found`, `agent_not_api_ready`, or what the catalog rejects with for the voice. */
export type ResolveAgent = (
  grant: SessionGrant,
  /** As the client reports it. */
  clientTimeZone: string | undefined,
  context: CallContext,
) => Promise<ResolvedAgent>

/** The time zone in the token's variable `time_zone`, else that of the client, else UTC. */
const timeZoneOf = ({ variables }: SessionGrant, clientTimeZone: string | undefined): string =>
  timeZoneSchema.safeParse(variables.time_zone).data ?? timeZoneSchema.safeParse(clientTimeZone).data ?? 'UTC'

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

  return async (grant, clientTimeZone, context) => {
    const { workspace_id, agent_id } = grant
    const revision = await findRevision(grant, context)
    const timeZone = timeZoneOf(grant, clientTimeZone)
    const { config, greetsPersonally, unknown } = personalConfig(revision.config, grant, timeZone, new Date())
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
      greetsPersonally,
      timeZone,
      model,
      voiceLanguage: voice_config.language ?? found.languages[0]!,
      avatar,
    }
  }
}
