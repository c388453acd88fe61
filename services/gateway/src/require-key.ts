import type { CallContext } from '@parlance/bus'
import type { Capability, Principal } from '@parlance/contracts'
import { ServiceError } from '@parlance/contracts'
import type { Request, RequestHandler } from 'express'
import type { LimitRate } from './rate-limit/rate-limiter.js'

/** Who holds the key in an `Authorization` header. Rejects with `unauthorized`, or `unavailable` when nobody can tell. */
export type AuthenticateKey = (authorization: string | undefined, context: CallContext) => Promise<Principal>

/**
 * Lets through whoever holds a key of a workspace that is in good standing, was given the capability where one is asked
 * for, and does not ask too often. The order of the refusals is part of the contract: 401, suspended, capability, 429.
 * What is refused before the last of them is not counted.
 */
export const createRequireKey =
  (authenticate: AuthenticateKey, limitRate: LimitRate) =>
  (capability?: Capability): RequestHandler =>
  async (req, res, next) => {
    const principal = await authenticate(req.headers.authorization, req.context)
    req.principal = principal
    if (principal.suspended) {
      throw new ServiceError('organization_suspended', 'This workspace is suspended.')
    }
    if (capability !== undefined && !principal.capabilities.includes(capability)) {
      throw new ServiceError('capability_disabled', `The capability "${capability}" is not enabled for this workspace.`)
    }
    const rate = await limitRate(principal.workspace_id)
    if (rate !== undefined) {
      res.rateLimitHeaders = rate.headers
      if (!rate.allowed) {
        res.retryAfterSeconds = rate.retryAfterSeconds
        throw new ServiceError('rate_limited', 'This workspace asks too often. Wait as long as retry-after says.')
      }
    }
    next()
  }

/** Behind `requireKey`. */
export const principalOf = (req: Request): Principal => {
  if (req.principal === undefined) throw new Error('this route does not ask for a key')
  return req.principal
}
