import type { CallContext } from '@parlance/bus'
import {
  type AuditActor,
  type Capability,
  type MemberPrincipal,
  type Principal,
  ServiceError,
} from '@parlance/contracts'
import type { Request, RequestHandler } from 'express'
import { clientNetworkOf } from '../http/client-address.js'
import type { Admit } from './admission.js'
import type { LimitRate, RateDecision } from './rate-limiter.js'

/**
 * Finds the holder of the key in an `Authorization` header. Rejects with `unauthorized`, or with `unavailable` when the key
 * cannot be checked now. `countUnknown` is as in `KeyAuthenticator`.
 */
export type AuthenticateKey = (
  authorization: string | undefined,
  context: CallContext,
  countUnknown: () => Promise<void>,
) => Promise<Principal>

/** How many requests without a usable key a network may send in a minute. A key that is seen for the first time also counts. */
export const strangersPerMinute = 600

const tooManyStrangers = () =>
  new ServiceError(
    'rate_limited',
    'Your address sends too many requests without a valid API key. Wait for the time in retry-after.',
  )

/**
 * Middleware that requires a key of a workspace that is admitted. It rejects with `unauthorized`, with `rate_limited` for a
 * network that sent too many requests without a usable key, and as `Admit` does.
 */
export const createRequireKey =
  (authenticate: AuthenticateKey, admit: Admit, limitStrangers: LimitRate) =>
  (capability?: Capability): RequestHandler =>
  async (req, res, next) => {
    let rate: RateDecision | undefined
    const countUnknown = async () => {
      rate = await limitStrangers(clientNetworkOf(req))
      if (rate?.allowed === false) throw tooManyStrangers()
    }
    try {
      req.principal = await authenticate(req.headers.authorization, req.context, countUnknown)
    } catch (error) {
      if (rate !== undefined) {
        res.addedHeaders = [...res.addedHeaders, ...rate.headers]
        if (!rate.allowed) res.retryAfterSeconds = rate.retryAfterSeconds
      }
      throw error
    }
    const { principal } = req
    await admit(res, principal, capability)
    next()
  }

/** The holder of the key, in handlers behind `requireKey`. */
export const principalOf = (req: Request): Principal => {
  if (req.principal === undefined) throw new Error('this route does not require a key')
  return req.principal
}

const isMember = (principal: Principal): principal is MemberPrincipal => 'person_id' in principal

/** The actor for the audit log: the member or the key. */
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
