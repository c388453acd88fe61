import { type Capability, type Principal, ServiceError } from '@parlance/contracts'
import type { Response } from 'express'
import type { LimitRate } from '../rate-limit/rate-limiter.js'

/** What of a workspace decides whether it is served. */
export type Standing = Pick<Principal, 'workspace_id' | 'capabilities' | 'suspended'>

/** Throws `organization_suspended`, or `capability_disabled` where one is asked for that was not given. */
export const checkStanding = ({ suspended, capabilities }: Standing, capability?: Capability): void => {
  if (suspended) throw new ServiceError('organization_suspended', 'This workspace is suspended.')
  if (capability !== undefined && !capabilities.includes(capability)) {
    throw new ServiceError('capability_disabled', `The capability "${capability}" is not enabled for this workspace.`)
  }
}

export const rateLimited = () =>
  new ServiceError('rate_limited', 'This workspace asks too often. Wait as long as retry-after says.')

/**
 * Lets through whoever comes from a workspace that is in good standing and does not ask too often. The order of the
 * refusals is part of the contract: suspended, capability, 429. What is refused before the last of them is not counted.
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
