import { type Capability, type Principal, ServiceError } from '@parlance/contracts'
import type { Response } from 'express'
import { type LimitRate, requireRate } from './rate-limiter.js'

/** The properties of a workspace that decide whether it is served. */
type WorkspaceAccess = Pick<Principal, 'workspace_id' | 'capabilities' | 'suspended'>

/** Throws `organization_suspended`, or `capability_disabled` for a capability that the workspace does not have. */
export const checkWorkspace = ({ suspended, capabilities }: WorkspaceAccess, capability?: Capability): void => {
  if (suspended) throw new ServiceError('organization_suspended', 'This workspace is suspended.')
  if (capability !== undefined && !capabilities.includes(capability)) {
    throw new ServiceError('capability_disabled', `The capability "${capability}" is not enabled for this workspace.`)
  }
}

export const tooManyRequests = 'This workspace sends too many requests. Wait for the time in retry-after.'

/**
 * Resolves when a request of a workspace is admitted, and adds the rate limit headers to the response; an upgrade has none. Rejects
 * with `organization_suspended`, `capability_disabled` or `rate_limited`, in this order, which is part of the contract. A request
 * that is refused before the rate limit does not count towards it.
 */
export type Admit = (res: Response | undefined, workspace: WorkspaceAccess, capability?: Capability) => Promise<void>

export const createAdmission =
  (limitRate: LimitRate): Admit =>
  async (res, workspace, capability) => {
    checkWorkspace(workspace, capability)
    const rate = await limitRate(workspace.workspace_id)
    if (rate !== undefined && res !== undefined) res.addHeaders(rate.headers)
    requireRate(rate, tooManyRequests)
  }
