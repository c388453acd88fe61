import { missingReplyOf } from '@parlance/bus'
import type { Request, Response } from 'express'
import { type AuthorizedSession, requireLive, sessionEnded } from '../../authentication/session-authorization.js'
import type { RouteDependencies } from '../route.js'
import { admitMintingKey, sessionTokenOf } from './session-token.js'

/** The maximum time for negotiating a media connection. */
export const negotiationDeadlineMs = 15_000

/**
 * The live conversation in the path, for the holder of the token that started it. Rejects as `AuthorizeSession` and `Admit` do,
 * and with `session_ended`.
 */
export const authorizeLiveSession = async (
  dependencies: Pick<RouteDependencies, 'admit' | 'auth' | 'authorizeSession'>,
  req: Request,
  res: Response,
): Promise<AuthorizedSession> => {
  const { agentId, sessionId } = req.params
  const address = { agentId: String(agentId), sessionId: String(sessionId) }
  const session = requireLive(await dependencies.authorizeSession(sessionTokenOf(req), address, req.context))
  await admitMintingKey(dependencies, res, session, req.context)
  return session
}

/**
 * Makes a call to the instance that runs a conversation. Rejects with `session_ended` when that instance no longer
 * exists, since its conversations ended with it.
 */
export const callInstance = async <Reply>(call: () => Promise<Reply>): Promise<Reply> => {
  try {
    return await call()
  } catch (error) {
    if (missingReplyOf(error) !== 'no-responders') throw error
    throw sessionEnded()
  }
}
