import type { CallContext } from '@parlance/bus'
import type { AuditActor, Capability, MemberPrincipal, Principal } from '@parlance/contracts'
import type { Request, RequestHandler } from 'express'
import type { Admit } from './admission.js'

/**
 * Finds the holder of the key in an `Authorization` header. Rejects with `unauthorized`, or with `unavailable` when the key
 * cannot be checked now.
 */
export type AuthenticateKey = (authorization: string | undefined, context: CallContext) => Promise<Principal>

/** Middleware that requires a key of a workspace that is admitted. It rejects with `unauthorized`, and as `Admit` does. */
export const createRequireKey =
  (authenticate: AuthenticateKey, admit: Admit) =>
  (capability?: Capability): RequestHandler =>
  async (req, res, next) => {
    const principal = await authenticate(req.headers.authorization, req.context)
    req.principal = principal
    await admit(res, principal, capability)
    next()
  }

/** The holder of the key, in handlers behind `requireKey`. */
export const principalOf = (req: Request): Principal => {
  if (req.principal === undefined) throw new Error('this route does not require a key')
  return req.principal
}

const isMember = (principal: Principal): principal is MemberPrincipal => 'person_id' in principal

/** Who acts, for the audit log: the member, or the key. */
export const actorOf = (req: Request): AuditActor => {
  const principal = principalOf(req)
  return isMember(principal) ? { kind: 'person', id: principal.person_id } : { kind: 'api_key', id: principal.key_id }
}

/** The member, in handlers behind `requireMember`. */
export const memberOf = (req: Request): MemberPrincipal => {
  const principal = principalOf(req)
  if (!isMember(principal)) throw new Error('this route does not require a member')
  return principal
}
