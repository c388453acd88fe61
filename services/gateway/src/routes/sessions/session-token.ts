import { createHash } from 'node:crypto'
import type { CallContext } from '@parlance/bus'
import { bearerCredentials, type WatchedKey } from '@parlance/clients/api-key'
import type { Workspace } from '@parlance/contracts'
import type { Request, Response } from 'express'
import type { RouteDependencies } from '../route.js'

/** The session token in the `Authorization` header. Throws `unauthorized` when the header has none. */
export const sessionTokenOf = (req: Request): string =>
  bearerCredentials(req.headers.authorization, 'a session token', 'awst_…')

/** Whether the header has a session token or a client secret, valid or not, and no key. */
export const hasSessionToken = (req: Request): boolean => /^bearer +(awst|ek)_/i.test(req.headers.authorization ?? '')

/** The owner of a request's `Idempotency-Key`. Equal keys of holders of different tokens are independent. */
export const holderOfSessionToken = (req: Request): string =>
  `session-token:${createHash('sha256').update(sessionTokenOf(req)).digest('hex')}`

/**
 * Checks the key that minted a token, the workspace of the key and the rate limit. Rejects with `unauthorized` once the key
 * is revoked, and as `Admit` does.
 */
export const admitMintingKey = async (
  { auth, admit }: Pick<RouteDependencies, 'auth' | 'admit'>,
  res: Response | undefined,
  { workspace_id, key_id }: WatchedKey,
  context: CallContext,
): Promise<Workspace> => {
  const workspace = await auth.getKeyWorkspace({ workspace_id, key_id }, { context })
  await admit(res, { workspace_id, ...workspace }, 'agents')
  return workspace
}
