import type { CallContext } from '@parlance/bus'
import type { Capability, Principal } from '@parlance/contracts'
import { ServiceError } from '@parlance/contracts'
import type { RequestHandler } from 'express'

/** Who holds the key in an `Authorization` header. Rejects with `unauthorized`, or `unavailable` when nobody can tell. */
export type AuthenticateKey = (authorization: string | undefined, context: CallContext) => Promise<Principal>

/**
 * Lets through whoever holds a key of a workspace that is in good standing and, with a capability, was given that. The
 * order of the refusals is part of the contract: 401, then suspended, then capability.
 */
export const createRequireKey =
  (authenticate: AuthenticateKey) =>
  (capability?: Capability): RequestHandler =>
  async (req, _res, next) => {
    const principal = await authenticate(req.headers.authorization, req.context)
    req.principal = principal
    if (principal.suspended) {
      throw new ServiceError('organization_suspended', 'This workspace is suspended.')
    }
    if (capability !== undefined && !principal.capabilities.includes(capability)) {
      throw new ServiceError('capability_disabled', `The capability "${capability}" is not enabled for this workspace.`)
    }
    next()
  }
