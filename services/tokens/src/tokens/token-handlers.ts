import type { Client, Handlers } from '@parlance/bus'
import {
  type agentsContract,
  type ListenGrant,
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
  listenTokens: SingleUseTokens<ListenGrant>
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

type FailStreamToken = (code: 'stream_token_invalid', detail: string) => never

/** The grants of tokens that open streams: read, consumed or not, and consumed. */
const openingGrants = <Grant extends StreamGrant | ListenGrant>(tokens: SingleUseTokens<Grant>, name: string) => {
  const read = async (token: string, fail: FailStreamToken): Promise<Grant> => {
    const grant = await tokens.find(token)
    if (grant === undefined) return fail('stream_token_invalid', `This ${name} token is not valid. Mint another.`)
    if (tokens.hasExpired(grant)) fail('stream_token_invalid', `This ${name} token has expired. Mint another.`)
    return grant
  }
  return {
    read,
    async consume(token: string, fail: FailStreamToken): Promise<Grant> {
      const grant = await read(token, fail)
      if (await tokens.consume(token, grant)) return grant
      return fail('stream_token_invalid', `This ${name} token has already opened a connection. Mint another.`)
    },
  }
}

export const createTokenHandlers = (options: TokenHandlersOptions): Handlers<typeof tokensContract> => {
  const { sessionTokens, streamTokens, listenTokens, agents, requireCredit } = options

  const streamGrants = openingGrants(streamTokens, 'stream')
  const listenGrants = openingGrants(listenTokens, 'listen')

  /** Checks the Agent and the credit at the same time. The errors of the Agent come first. */
  const mintFor = async (
    grant: NewSessionGrant,
    checkAgent: (grant: NewSessionGrant) => Promise<void>,
    validForSeconds?: number,
  ) => {
    const credit = requireCredit(grant.workspace_id)
    credit.catch(() => {})
    await checkAgent(grant)
    await credit
    return {
      ...(await sessionTokens.issue(grant, validForSeconds && validForSeconds * 1000)),
      agent_id: grant.agent_id,
      capabilities,
    }
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

  return {
    mintSessionToken: ({ valid_for_seconds, ...grant }, { fail, context }) => {
      const checkAgent: Parameters<typeof mintFor>[1] = async ({ workspace_id, key_id, agent_id, end_user_id }) => {
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
      }
      return mintFor(grant, checkAgent, valid_for_seconds)
    },

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

    checkStreamToken: ({ token }, { fail }) => streamGrants.read(token, fail),
    consumeStreamToken: ({ token }, { fail }) => streamGrants.consume(token, fail),

    async mintListenToken({ valid_for_seconds, ...grant }) {
      await requireCredit(grant.workspace_id)
      return listenTokens.issue(grant, valid_for_seconds && valid_for_seconds * 1000)
    },

    checkListenToken: ({ token }, { fail }) => listenGrants.read(token, fail),
    consumeListenToken: ({ token }, { fail }) => listenGrants.consume(token, fail),
  }
}
