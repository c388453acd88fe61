import type { IncomingMessage } from 'node:http'
import type { CallContext } from '@parlance/bus'
import type { AuditActor, Capability, MemberPrincipal, Principal } from '@parlance/contracts'
import type { Request, RequestHandler } from 'express'
import { authorizationOf } from '../compat/vendors.js'
import { clientNetworkOf } from '../http/client-address.js'
import type { Admit } from './admission.js'
import { type LimitRate, type RateDecision, requireRate } from './rate-limiter.js'

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

/**
 * Finds the holder of the key that a request presents. Rejects as `AuthenticateKey` does, and with `rate_limited` for a network that
 * sent too many requests without a usable key. `onRate` is called when the request counts as one of those.
 */
export const createIdentifyKey =
  ({ authenticate, limitStrangers }: { readonly authenticate: AuthenticateKey; readonly limitStrangers: LimitRate }) =>
  (req: IncomingMessage, context: CallContext, onRate?: (rate: RateDecision | undefined) => void): Promise<Principal> =>
    authenticate(authorizationOf(req), context, async () => {
      const rate = await limitStrangers(clientNetworkOf(req))
      onRate?.(rate)
      requireRate(
        rate,
        'Your address sends too many requests without a valid API key. Wait for the time in retry-after.',
      )
    })

/** Middleware that requires a key of a workspace that is admitted. It rejects as `createIdentifyKey` and `Admit` do. */
export const createRequireKey =
  (identifyKey: ReturnType<typeof createIdentifyKey>, admit: Admit) =>
  (capability?: Capability): RequestHandler =>
  async (req, res, next) => {
    let rate: RateDecision | undefined
    try {
      req.principal = await identifyKey(req, req.context, (counted) => {
        rate = counted
      })
    } catch (error) {
      if (rate !== undefined) res.addHeaders(rate.headers)
      throw error
    }
    await admit(res, req.principal, capability)
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
