import type { Client, Handlers } from '@parlance/bus'
import {
  type agentsContract,
  printProblems,
  type SessionGrant,
  type StreamGrant,
  type tokensContract,
} from '@parlance/contracts'
import type { RequireCredit } from '../credit/lease-credit.js'
import type { SingleUseTokens } from './single-use-tokens.js'

export interface TokenHandlersOptions {
  sessionTokens: SingleUseTokens<SessionGrant>
  streamTokens: SingleUseTokens<StreamGrant>
  agents: Pick<Client<typeof agentsContract>, 'getPublished' | 'checkPublish'>
  readonly requireCredit: RequireCredit
}

/** Shorter than the deadlines of callers, so that the error names the service that did not answer. */
const agentsDeadlineMs = 3_000

/** The permissions of a session token. */
const capabilities = { managed_voice_agent: true, transport: 'webrtc' }

const used = 'This session token has already started a conversation. Mint another.'

type NewSessionGrant = Omit<SessionGrant, 'expires_at'>

type TokenFailure = 'unauthorized' | 'session_token_expired'
type SessionTokenFailure = TokenFailure | 'session_token_agent_mismatch'

export const createTokenHandlers = (options: TokenHandlersOptions): Handlers<typeof tokensContract> => {
  const { sessionTokens, streamTokens, agents, requireCredit } = options

  /** Checks the Agent and the credit at the same time. The errors of the Agent come first. */
  const mintFor = async (grant: NewSessionGrant, checkAgent: (grant: NewSessionGrant) => Promise<void>) => {
    const credit = requireCredit(grant.workspace_id)
    credit.catch(() => {})
    await checkAgent(grant)
    await credit
    return { ...(await sessionTokens.issue(grant)), agent_id: grant.agent_id, capabilities }
  }

  /** The grant of a session token, used or not. */
  const readSessionGrant = async (
    token: string,
    fail: (code: TokenFailure, detail: string) => never,
  ): Promise<SessionGrant> => {
    const grant = await sessionTokens.find(token)
    if (grant === undefined) return fail('unauthorized', 'This session token is not valid.')
    if (sessionTokens.hasExpired(grant)) fail('session_token_expired', 'This session token has expired. Mint another.')
    return grant
  }

  /** The grant of a session token that is for this Agent. */
  const findSessionGrant = async (
    { token, agent_id }: { token: string; agent_id: string },
    fail: (code: SessionTokenFailure, detail: string) => never,
  ): Promise<SessionGrant> => {
    const grant = await readSessionGrant(token, fail)
    if (grant.agent_id !== agent_id.toLowerCase()) {
      fail('session_token_agent_mismatch', 'This session token was minted for another Agent.')
    }
    return grant
  }

  /** The grant of a stream token, consumed or not. */
  const readStreamGrant = async (
    token: string,
    fail: (code: 'stream_token_invalid', detail: string) => never,
  ): Promise<StreamGrant> => {
    const grant = await streamTokens.find(token)
    if (grant === undefined) return fail('stream_token_invalid', 'This stream token is not valid. Mint another.')
    if (streamTokens.hasExpired(grant)) fail('stream_token_invalid', 'This stream token has expired. Mint another.')
    return grant
  }

  return {
    mintSessionToken: (grant, { fail, context }) =>
      mintFor(grant, async ({ workspace_id, key_id, agent_id, end_user_id }) => {
        const { config } = await agents.getPublished(
          { workspace_id, agent_id },
          { context, deadlineMs: agentsDeadlineMs },
        )
        if (config.voice_config.tts_variant === null) {
          fail('agent_not_api_ready', 'Choose a TTS variant in the voice_config of the Agent and publish it.')
        }
        if (end_user_id === null && (config.memory_enabled || config.calendar_enabled)) {
          fail('memory_identity_required', 'end_user_id: is required, since the Agent has memory or a calendar')
        }
        const { daily_credit } = config.session_config.public
        if (grant.public && daily_credit !== null) {
          await requireCredit(workspace_id, { key_id, credit: daily_credit })
        }
      }),

    mintDraftSessionToken: (grant, { fail, context }) =>
      mintFor({ ...grant, draft: true }, async ({ workspace_id, agent_id }) => {
        const { problems, api_ready } = await agents.checkPublish(
          { workspace_id, agent_id },
          { context, deadlineMs: agentsDeadlineMs },
        )
        if (problems.length > 0) fail('agent_not_publishable', printProblems(problems))
        if (!api_ready) fail('agent_not_api_ready', 'Choose a TTS variant in the voice_config of the Agent.')
      }),

    async checkSessionToken(request, { fail }) {
      const grant = await findSessionGrant(request, fail)
      return (await sessionTokens.isConsumed(request.token, grant)) ? fail('session_token_used', used) : grant
    },

    readSessionToken: ({ token }, { fail }) => readSessionGrant(token, fail),

    async consumeSessionToken(request, { fail }) {
      const grant = await findSessionGrant(request, fail)
      return (await sessionTokens.consume(request.token, grant)) ? grant : fail('session_token_used', used)
    },

    async mintStreamToken({ workspace_id, key_id, voice_id, max_characters }) {
      await requireCredit(workspace_id)
      return streamTokens.issue({ workspace_id, key_id, voice_id, max_characters })
    },

    checkStreamToken: ({ token }, { fail }) => readStreamGrant(token, fail),

    async consumeStreamToken({ token }, { fail }) {
      const grant = await readStreamGrant(token, fail)
      if (await streamTokens.consume(token, grant)) return grant
      return fail('stream_token_invalid', 'This stream token has already opened a connection. Mint another.')
    },
  }
}
