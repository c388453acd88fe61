import { type Capability, type Principal, ServiceError } from '@parlance/contracts'
import type { Response } from 'express'
import type { LimitRate } from './rate-limiter.js'

/** The properties of a workspace that decide whether it is served. */
export type Standing = Pick<Principal, 'workspace_id' | 'capabilities' | 'suspended'>

/** Throws `organization_suspended`, or `capability_disabled` for a capability that the workspace does not have. */
export const checkStanding = ({ suspended, capabilities }: Standing, capability?: Capability): void => {
  if (suspended) throw new ServiceError('organization_suspended', 'This workspace is suspended.')
  if (capability !== undefined && !capabilities.includes(capability)) {
    throw new ServiceError('capability_disabled', `The capability "${capability}" is not enabled for this workspace.`)
  }
}

export const rateLimited = () =>
  new ServiceError('rate_limited', 'This workspace sends too many requests. Wait for the time in retry-after.')

/**
 * Resolves when a request of a workspace is admitted, and adds the rate limit headers to the response. Rejects with
 * `organization_suspended`, `capability_disabled` or `rate_limited`, in this order, which is part of the contract. A request
 * that is refused before the rate limit does not count towards it.
 */
export type Admit = (res: Response, standing: Standing, capability?: Capability) => Promise<void>

export const createAdmission =
  (limitRate: LimitRate): Admit =>
  async (res, standing, capability) => {
    checkStanding(standing, capability)
    const rate = await limitRate(standing.workspace_id)
    if (rate === undefined) return
    res.addedHeaders = [...res.addedHeaders, ...rate.headers]
    if (!rate.allowed) {
      res.retryAfterSeconds = rate.retryAfterSeconds
      throw rateLimited()
    }
  }
