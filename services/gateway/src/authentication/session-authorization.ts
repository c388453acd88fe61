import { createHash } from 'node:crypto'
import type { CallContext, Client } from '@parlance/bus'
import type { LocatedSession, SessionRegistry } from '@parlance/clients/session-registry'
import { idSchema, ServiceError, type tokensContract } from '@parlance/contracts'

export interface SessionAddress {
  /** Both unchecked, as they are in the path. Undefined for any Agent. */
  readonly agentId: string | undefined
  readonly sessionId: string
}

export interface AuthorizedSession extends LocatedSession {
  readonly session_id: string
}

/**
 * Finds a conversation for the holder of the token that started it, also when the token has expired since. Rejects with
 * `unauthorized` or `session_token_expired` for an invalid token, with `session_token_agent_mismatch` for a token
 * of another Agent, and with `session_not_found` for a conversation that the token did not start, or that ended more than an
 * hour ago.
 */
export type AuthorizeSession = (
  token: string,
  address: SessionAddress,
  context: CallContext,
) => Promise<AuthorizedSession>

interface SessionAuthorizationOptions {
  readonly registry: Pick<SessionRegistry, 'locate'>
  readonly tokens: Pick<Client<typeof tokensContract>, 'readSessionToken'>
}

const otherAgent = () =>
  new ServiceError('session_token_agent_mismatch', 'This session token was minted for another Agent.')

export const sessionEnded = () => new ServiceError('session_ended', 'This session has ended.')

/** Throws `session_ended`. */
export const requireLive = (session: AuthorizedSession): AuthorizedSession => {
  if (!session.live) throw sessionEnded()
  return session
}

export const createSessionAuthorization =
  ({ registry, tokens }: SessionAuthorizationOptions): AuthorizeSession =>
  async (token, { agentId, sessionId }, context) => {
    const id = idSchema.safeParse(sessionId.toLowerCase())
    const located = id.success ? await registry.locate(id.data) : undefined
    const isStarter = located?.token_sha256 === createHash('sha256').update(token).digest('hex')
    const agentOfToken = isStarter
      ? located?.agent_id
      : (await tokens.readSessionToken({ token }, { context })).agent_id
    if (agentId !== undefined && agentOfToken !== agentId.toLowerCase()) throw otherAgent()
    if (!isStarter || located === undefined || !id.success) {
      throw new ServiceError('session_not_found', 'There is no such session.')
    }
    return { ...located, session_id: id.data }
  }
