import type { Client } from '@parlance/bus'
import {
  type Capability,
  idSchema,
  type MemberPrincipal,
  type peopleContract,
  type Role,
  ServiceError,
} from '@parlance/contracts'
import type { Request, RequestHandler } from 'express'
import type { Admit } from './admission.js'

/** The header that names the workspace. Pages of other origins cannot set it, as no preflight allows it. */
export const workspaceHeader = 'x-parlance-workspace'

const ranks: Readonly<Record<Role, number>> = { member: 0, admin: 1, owner: 2 }

/** Throws `forbidden_role`. */
export const checkRole = (role: Role, least: Role): void => {
  if (ranks[role] >= ranks[least]) return
  throw new ServiceError('forbidden_role', 'This is for Owners and Admins of the workspace.')
}

/** The workspace that the header names. Throws `invalid_request`. */
export const workspaceOf = (req: Request): string => {
  const id = idSchema.safeParse(req.headers[workspaceHeader])
  if (!id.success) throw new ServiceError('invalid_request', `${workspaceHeader}: must be the id of a workspace`)
  return id.data
}

export interface MemberRequirement {
  readonly capability?: Capability
  /** The minimum role that may call. */
  readonly role: Role
}

/**
 * Middleware that requires a signed-in member of the workspace in the header, whose workspace is admitted. It rejects with
 * `unauthorized`, with `not_found` for a workspace of others, with `forbidden_role`, and as `Admit` does.
 */
export const createRequireMember =
  (people: Pick<Client<typeof peopleContract>, 'getMember'>, admit: Admit) =>
  ({ capability, role }: MemberRequirement): RequestHandler =>
  async (req, res, next) => {
    const workspace_id = workspaceOf(req)
    const cookie = req.headers.cookie ?? ''
    const member: MemberPrincipal = await people.getMember({ cookie, workspace_id }, { context: req.context })
    checkRole(member.role, role)
    req.principal = member
    await admit(res, member, capability)
    next()
  }
