import type { CallContext } from '@parlance/bus'
import type { Capability, Principal } from '@parlance/contracts'
import type { Request, RequestHandler } from 'express'
import type { Admit } from './admission.js'

/** Who holds the key in an `Authorization` header. Rejects with `unauthorized`, or `unavailable` when nobody can tell. */
export type AuthenticateKey = (authorization: string | undefined, context: CallContext) => Promise<Principal>

/** Lets through whoever holds a key of a workspace that is admitted; 401 comes before all else. */
export const createRequireKey =
  (authenticate: AuthenticateKey, admit: Admit) =>
  (capability?: Capability): RequestHandler =>
  async (req, res, next) => {
    const principal = await authenticate(req.headers.authorization, req.context)
    req.principal = principal
    await admit(res, principal, capability)
    next()
  }

/** Behind `requireKey`. */
export const principalOf = (req: Request): Principal => {
  if (req.principal === undefined) throw new Error('this route does not ask for a key')
  return req.principal
}
