import { type Capability, type Principal, ServiceError } from '@parlance/contracts'
import type { Response } from 'express'
import type { LimitRate } from './rate-limit/rate-limiter.js'

/** What of a workspace decides whether it is served. */
export type Standing = Pick<Principal, 'workspace_id' | 'capabilities' | 'suspended'>

/**
 * Lets through whoever comes from a workspace that is in good standing, was given the capability where one is asked for,
 * and does not ask too often. The order of the refusals is part of the contract: suspended, capability, 429. What is
 * refused before the last of them is not counted.
 */
export type Admit = (res: Response, standing: Standing, capability?: Capability) => Promise<void>

export const createAdmission =
  (limitRate: LimitRate): Admit =>
  async (res, { workspace_id, capabilities, suspended }, capability) => {
    if (suspended) throw new ServiceError('organization_suspended', 'This workspace is suspended.')
    if (capability !== undefined && !capabilities.includes(capability)) {
      throw new ServiceError('capability_disabled', `The capability "${capability}" is not enabled for this workspace.`)
    }
    const rate = await limitRate(workspace_id)
    if (rate === undefined) return
    res.addedHeaders = [...res.addedHeaders, ...rate.headers]
    if (!rate.allowed) {
      res.retryAfterSeconds = rate.retryAfterSeconds
      throw new ServiceError('rate_limited', 'This workspace asks too often. Wait as long as retry-after says.')
    }
  }
